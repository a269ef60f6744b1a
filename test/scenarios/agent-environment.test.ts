import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

async function rigThatSaves(): Promise<Rig> {
  return createRig({
    files: { "a.txt": "old\n" },
    plan: { tasks: { "01-a": makes("a.txt", { files: { modify: ["a.txt"] }, goal: "Say that all is ready." }) } },
    moves: { "01-a": [{ save: "session" }, ...writes("a.txt")] },
  });
}

const hostile = {
  AWS_SECRET_ACCESS_KEY: "secret",
  GITHUB_TOKEN: "secret",
  GIT_DIR: "/nowhere",
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: "false",
  NODE_OPTIONS: "--max-http-header-size=20000",
  SSH_AUTH_SOCK: "/nowhere",
  BASH_ENV: "/nowhere",
  http_proxy: "http://127.0.0.1:9",
};

test("The agent's environment has what the contract names, and nothing else of the user's.", async () => {
  await using rig = await rigThatSaves();

  expectCode(await rig.stint(["run", "--yes"], { env: hostile }), 0);

  const { env } = rig.saved("session");
  const contract = ["HOME", "LANG", "PATH", "RIG_MOVES", "TERM", "http_proxy"];
  const ofStint = ["STINT_ATTEMPT", "STINT_INBOX", "STINT_OUTBOX", "STINT_ROLE", "STINT_RUN", "STINT_TASK"];
  // A shell between Stint and the agent exports PWD; time zone and locale are no secrets.
  const names = Object.keys(env).filter((name) => !/^(PWD|TZ|LC_.*)$/.test(name));
  expect(names.toSorted()).toEqual([...contract, ...ofStint].toSorted());
  expect(env).toMatchObject({ STINT_TASK: "01-a", STINT_ATTEMPT: "1", STINT_ROLE: "executor" });
  expect(env["HOME"]).not.toBe(join(rig.root, "home"));
});

test("Relative entries of PATH do not reach the agent.", async () => {
  await using rig = await rigThatSaves();

  await rig.stint(["run", "--yes"], { env: { PATH: `.:bin:${process.env["PATH"]}` } });

  expect(
    rig
      .saved("session")
      .env["PATH"]?.split(":")
      .filter((entry) => !entry.startsWith("/")),
  ).toEqual([]);
});

test("The workspace is a clone of its own, outside the user's repo and without remotes.", async () => {
  await using rig = await rigThatSaves();
  rig.git("remote", "add", "origin", "https://example.com/x.git");
  rig.moves({ "01-a": [{ save: "session" }, { shell: 'test -z "$(git remote)" && git log -1' }, ...writes("a.txt")] });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  const { cwd, env } = rig.saved("session");
  expect(cwd.startsWith(`${rig.repo}/`)).toBe(false);
  expect(env["STINT_OUTBOX"]?.startsWith(cwd)).toBe(false);
});

test("The prompt carries the task; the inbox holds the task file, the plan and the rules.", async () => {
  await using rig = await createRig({
    rules: {},
    plan: { tasks: { "01-a": makes("a.txt", { goal: "Say that all is ready." }) } },
    moves: {
      "01-a": [
        { save: "session" },
        {
          shell:
            'for word in "Say that all is ready" "## Overview" "Work carefully"; do grep -rq "$word" "$STINT_INBOX" || exit 1; done',
        },
        ...writes("a.txt"),
      ],
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(rig.saved("session").prompt).toContain("Say that all is ready.");
  expect(rig.saved("session").prompt).toContain("Work carefully.");
  expect(rig.saved("session").prompt).toContain("grep -q ready a.txt");
});
