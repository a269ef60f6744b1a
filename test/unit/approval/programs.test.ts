import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { among, namedPrograms, whyHookDiffers, whyProgramsDiffer } from "../../../src/approval/programs.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { tempDir, write } from "../../rig/git.ts";

const text = `
agents:
  own: { driver: command, command: ["./tools/agent.sh", "--fast", "tools/prompt.txt"] }
hooks:
  - { on: [task-blocked], command: ["sh", "notify.sh", "absent.sh"] }
`;

function repository() {
  const root = tempDir();
  write(root, { "tools/agent.sh": "agent", "tools/prompt.txt": "prompt", "notify.sh": "hook" });
  const { config, problems } = loadConfig({ project: { file: ".stint/config.yaml", bytes: Buffer.from(text) } });
  expect(problems).toEqual([]);
  return { root, config };
}

function hashOf(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

test("an approval records the files of the repository that agents and hooks run, by content", () => {
  const { root, config } = repository();
  expect(namedPrograms(config, root)).toEqual({
    "./tools/agent.sh": hashOf("agent"),
    "notify.sh": hashOf("hook"),
    "tools/prompt.txt": hashOf("prompt"),
  });
});

test("a script that changes, disappears or appears is named; unchanged ones are not", () => {
  const { root, config } = repository();
  const approved = namedPrograms(config, root);
  expect(whyProgramsDiffer(approved, namedPrograms(config, root), "work")).toBeUndefined();
  writeFileSync(join(root, "tools/agent.sh"), "other");
  const why = whyProgramsDiffer(approved, namedPrograms(config, root), "work");
  expect(why).toContain("./tools/agent.sh was changed after plan work was approved");
  expect(why).toContain("`stint approve work`");
  expect(whyProgramsDiffer({}, { "new.sh": "x" }, "work")).toContain("new.sh");
  expect(whyProgramsDiffer({ "old.sh": "x" }, {}, "work")).toContain("old.sh");
});

test("a hook is compared by itself when it runs, also where an interpreter gets its file as a word", () => {
  const { root, config } = repository();
  const approved = namedPrograms(config, root);
  expect(whyHookDiffers(["sh", "notify.sh"], root, approved)).toBeUndefined();
  writeFileSync(join(root, "tools/agent.sh"), "other");
  expect(whyHookDiffers(["sh", "notify.sh"], root, approved)).toBeUndefined();
  writeFileSync(join(root, "notify.sh"), "other");
  expect(whyHookDiffers(["sh", "notify.sh"], root, approved)).toContain("notify.sh was changed");
});

test("a run of an earlier approval is compared only by the programs that it has", () => {
  expect(among({ a: "1", b: "2" }, { b: "3", c: "4" })).toEqual({ b: "2" });
});
