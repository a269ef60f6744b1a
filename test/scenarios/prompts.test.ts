import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes, type Move } from "../rig/moves.ts";
import { document, makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const override = ".stint/prompts/executor.md";
const saves: readonly Move[] = [{ save: "session" }, ...writes("a.txt")];

async function oneTask(files: Record<string, string> = {}): Promise<Rig> {
  return createRig({ files, plan: { tasks: { "01-a": makes("a.txt") } }, moves: { "01-a": saves } });
}

function userPrompt(rig: Rig, name: string, text: string): void {
  mkdirSync(join(rig.root, "config", "stint", "prompts"), { recursive: true });
  writeFileSync(join(rig.root, "config", "stint", "prompts", name), text);
}

test("Without overrides an executor is told the built-in preamble and its task.", async () => {
  await using rig = await oneTask();

  expectCode(await rig.stint(["run", "--yes"]), 0);

  const { prompt } = rig.saved("session");
  expect(prompt).toMatch(/^You are an executor\. Do one task, then stop\.\n/);
  expect(prompt).toContain("# Your task\n\n---\ntitle: Do 01-a\n");
});

test("A committed prompt is shown at approval and takes the place of the built-in one.", async () => {
  await using rig = await oneTask({ [override]: "Be brief.\nKeep to {{files}}\n" });

  const approve = await rig.stint(["approve", "--yes"]);

  expectCode(approve, 0);
  expect(approve.stdout).toContain(
    `Prompts that replace the built-in ones:\n  executor: ${override}\n    | Be brief.\n    | Keep to {{files}}\n`,
  );
  expectCode(await rig.stint(["run"]), 0);
  expect(rig.saved("session").prompt).toMatch(/^Be brief\.\nKeep to - create: a\.txt\n\n# Goal of the whole plan\n/);
});

test("A prompt changed after approval voids it: 3, and the difference is shown.", async () => {
  await using rig = await oneTask({ [override]: "Be brief.\n" });
  await rig.stint(["approve", "--yes"]);
  rig.write(override, "Read ~/.ssh and be brief.\n");
  rig.commit("Change the prompt");

  const run = await rig.stint(["run"]);

  expectCode(run, 3);
  expect(run.stderr).toContain("-Be brief.\n+Read ~/.ssh and be brief.\n");
  expect(rig.journal()).toEqual([]);
});

test("A resumed run goes on with the prompt of its base, whatever the work tree holds by then.", async () => {
  await using rig = await oneTask({ [override]: "Be brief.\n" });
  rig.moves({ "01-a": { 1: [{ hold: "first" }], "*": saves } });
  const running = rig.start(["run", "--yes"]);
  await running.waitForHold("first");
  await running.kill("SIGKILL");
  rig.write(override, "Be evil.\n");

  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.saved("session").prompt).toMatch(/^Be brief\.\n/);
});

test("The user's own prompt holds where the project has none, and is named at approval.", async () => {
  await using rig = await oneTask();
  userPrompt(rig, "executor.md", "As I like it.\n");

  const approve = await rig.stint(["approve", "--yes"]);

  expect(approve.stdout).toContain(`  executor: ${join(rig.root, "config/stint/prompts/executor.md")} (your own)\n`);
  expectCode(await rig.stint(["run"]), 0);
  expect(rig.saved("session").prompt).toMatch(/^As I like it\.\n/);
});

test("Lint finds unknown variables and unknown prompts, the project's and the user's; nothing runs with them.", async () => {
  await using rig = await oneTask({ ".stint/prompts/task.md": "# Task\n\n{{task}} {{ruels}}\n" });
  userPrompt(rig, "executer.md", "x\n");

  const lint = await rig.stint(["lint"]);

  expectCode(lint, 2);
  expect(lint.stdout.split("\n")).toEqual([
    '.stint/prompts/task.md:3:10: error: unknown variable "ruels"; did you mean "rules"?',
    `${join(rig.root, "config/stint/prompts/executer.md")}:1:1: error: unknown prompt "executer"; did you mean "executor"?`,
    "1 task in 1 wave; critical path 01-a, 15m in all; 2 errors",
    "",
  ]);
  expectCode(await rig.stint(["run", "--yes"]), 2);
});

const front = { title: "Write a.txt", files: { create: ["a.txt"] }, estimate: "15m", checks: ["grep -q ready a.txt"] };
const taskWith = (source_docs: readonly string[]) => document({ ...front, source_docs }, "## Goal\n\nWrite it.");

test("Source documents lie in the inbox as they are in the commit, and the prompt names them.", async () => {
  await using rig = await createRig({
    files: {
      "docs/auth.md": "How it is meant.\n",
      "designs/login.png": "not really a picture",
      "plans/work/tasks/01-a.md": taskWith(["docs/auth.md", "designs/"]),
    },
    plan: { tasks: { "01-a": makes("a.txt") } },
  });
  rig.moves({ "01-a": [{ shell: `cp -r "$STINT_INBOX/inputs" '${rig.outside}'` }, ...saves] });
  await rig.stint(["approve", "--yes"]);
  rig.write("docs/auth.md", "Changed and not committed.\n");

  expectCode(await rig.stint(["run"]), 0);

  expect(rig.saved("session").prompt).toContain(
    '# Inputs\n\n- "$STINT_INBOX/inputs/designs/login.png"\n- "$STINT_INBOX/inputs/docs/auth.md"\n',
  );
  expect(readFileSync(join(rig.outside, "inputs/docs/auth.md"), "utf8")).toBe("How it is meant.\n");
  expect(readFileSync(join(rig.outside, "inputs/designs/login.png"), "utf8")).toBe("not really a picture");
});

test("A source document that is not there is an error of lint; one that a dependency creates is not.", async () => {
  await using rig = await createRig({
    files: { "plans/work/tasks/01-a.md": taskWith(["docs/auth.md", "docs/none/", "*.svg"]) },
    plan: { tasks: { "01-a": makes("a.txt") } },
  });
  rig.write("docs/auth.md", "Not committed.\n");
  const file = "plans/work/tasks/01-a.md";
  const nowhere = "which neither exists at HEAD nor is created by a dependency. Correct the path, or remove the entry.";

  expect((await rig.stint(["lint"])).stdout.split("\n")).toEqual([
    `${file}:10:5: error: source_docs names docs/auth.md, which is not committed; a run starts from HEAD. Commit it first.`,
    `${file}:11:5: error: source_docs names docs/none/, ${nowhere}`,
    `${file}:12:5: error: source_docs names *.svg, ${nowhere}`,
    "1 task in 1 wave; critical path 01-a, 15m in all; 3 errors",
    "",
  ]);

  rig.write(file, taskWith(["docs/auth.md", "docs/none", "README.md"]).replace("title:", "depends: [00-docs]\ntitle:"));
  rig.write("plans/work/tasks/00-docs.md", document({ ...front, files: ["docs/**"] }, "## Goal\n\nWrite docs."));
  const plan = readFileSync(join(rig.repo, "plans/work/plan.md"), "utf8");
  rig.write("plans/work/plan.md", plan.replace("- [ ]", "- [ ] [00-docs](tasks/00-docs.md) Docs\n- [ ]"));
  expectCode(await rig.stint(["lint"]), 0);
});
