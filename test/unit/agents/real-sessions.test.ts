import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { whyNoAgentFor } from "../../../src/agents/real-sessions.ts";
import { defaultConfig } from "../../../src/config/defaults.ts";
import type { AgentConfig } from "../../../src/config/types.ts";
import { write } from "../../rig/git.ts";
import { projectWith } from "../../rig/project.ts";

test("a role whose agent has no program is named before a run, with what to do; one whose program is there is not", async () => {
  const { root, project } = await projectWith({ "a.txt": "a" });
  const why = async (agent: Partial<AgentConfig>, PATH = "/usr/bin:/bin") => {
    const mine: AgentConfig = { driver: "command", command: [], env: [], repoSettings: false, ...agent };
    const config = { ...defaultConfig, agents: { mine }, roles: { executor: { agent: "mine" } } };
    const found = await whyNoAgentFor(["executor", "escalation"], config, { ...project, env: { PATH } });
    expect(found?.reason ?? "no-program").toBe("no-program");
    return found?.message;
  };
  const another = "choose another under `roles` in .stint/config.yaml.";
  expect(await why({ driver: "claude" }, root)).toBe(
    `the agent of the role executor, mine, cannot start: claude was not found on PATH. Install it, or ${another}`,
  );
  expect(await why({ command: ["./agent.sh", "--fast"] })).toBe(
    `the agent of the role executor, mine, cannot start: ${root}/agent.sh does not exist. Correct the \`command\` of the agent, or ${another}`,
  );
  write(root, { "agent.sh": "#!/bin/sh\n", claude: "#!/bin/sh\n" });
  expect(await why({ command: ["./agent.sh"] })).toMatch(
    /agent\.sh is not an executable file\. Run `chmod \+x` on it\.$/,
  );
  write(root, { "dos.sh": "#!/bin/sh\r\nexit 0\r\n" });
  chmodSync(join(root, "dos.sh"), 0o755);
  expect(await why({ command: ["./dos.sh"] })).toMatch(/ends in CRLF.*\. Save it with LF line ends\.$/);
  for (const name of ["agent.sh", "claude"]) chmodSync(join(root, name), 0o755);
  expect(await why({ command: ["./agent.sh"] })).toBeUndefined();
  expect(await why({ driver: "claude" }, root)).toBeUndefined();
  expect(await why({ command: ["sh"] })).toBeUndefined();
});
