import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode } from "./rig/facts.ts";
import { writes } from "./rig/moves.ts";
import { makes } from "./rig/plan.ts";
import { createRig, type Rig } from "./rig/rig.ts";

async function oneTask(): Promise<Rig> {
  return createRig({ plan: { tasks: { "01-a": makes("a.txt") } }, moves: { "01-a": writes("a.txt") } });
}

function edit(rig: Rig, path: string, from: string, to: string): void {
  const text = readFileSync(join(rig.repo, path), "utf8");
  expect(text).toContain(from);
  rig.write(path, text.replace(from, to));
  rig.commit(`Edit ${path}`);
}

test("A plan that nobody approved is not run: 3, and no run exists.", async () => {
  await using rig = await oneTask();

  const run = await rig.stint(["run"]);

  expectCode(run, 3);
  expect(run.stderr).toContain("stint approve");
  expect(rig.journal()).toEqual([]);
});

test("An approval shows every command that would run, and then the plan runs.", async () => {
  await using rig = await oneTask();

  const approve = await rig.stint(["approve", "--yes"]);

  expectCode(approve, 0);
  expect(approve.stdout).toContain("grep -q ready a.txt");
  expectCode(await rig.stint(["run"]), 0);
});

test("One changed byte of a command voids the approval: the run ends with 3 and shows the difference.", async () => {
  await using rig = await oneTask();
  await rig.stint(["approve", "--yes"]);
  edit(rig, "plans/work/tasks/01-a.md", "grep -q ready a.txt", "grep -q r.ady a.txt");

  const run = await rig.stint(["run"]);

  expectCode(run, 3);
  const said = `${run.stdout}${run.stderr}`;
  expect(said).toMatch(/^-.*grep -q ready a\.txt$/m);
  expect(said).toMatch(/^\+.*grep -q r\.ady a\.txt$/m);
  expect(rig.journal()).toEqual([]);
});

test("A changed check of the rules voids the approval as well.", async () => {
  await using rig = await createRig({
    rules: { checks: ["test -e README.md"] },
    plan: { tasks: { "01-a": makes("a.txt") } },
  });
  await rig.stint(["approve", "--yes"]);
  edit(rig, ".stint/rules.md", "test -e README.md", "test -f README.md");

  expectCode(await rig.stint(["run"]), 3);
});

test("Running with --yes approves what lint accepts.", async () => {
  await using rig = await oneTask();

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(rig.events("plan-approved")).toHaveLength(1);
});

test("Ticking a box in plan.md changes nothing about the approval.", async () => {
  await using rig = await oneTask();
  await rig.stint(["approve", "--yes"]);
  edit(rig, "plans/work/plan.md", "- [ ]", "- [x]");

  expectCode(await rig.stint(["run"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("An unanswered decision cannot be approved: 3.", async () => {
  await using rig = await createRig({
    plan: {
      tasks: { "01-a": makes("a.txt") },
      decisions: [{ id: "colour", question: "Which colour?", options: ["red", "blue"], recommend: "red" }],
    },
  });

  const approve = await rig.stint(["approve", "--yes"]);

  expectCode(approve, 3);
  expect(`${approve.stdout}${approve.stderr}`).toContain("Which colour?");
  expectCode(await rig.stint(["run"]), 3);
});

test("Characters that hide or reorder text are made visible in what is approved.", async () => {
  const hidden = "grep -q ready a.txt # \u202Eevil\u200B\u001B[2K";
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt", { checks: [hidden] }) } } });

  const approve = await rig.stint(["approve", "--yes"]);

  // eslint-disable-next-line no-control-regex -- these characters are what must not come through.
  expect(approve.stdout).not.toMatch(/[\u202E\u200B\u001B]/);
  expect(approve.stdout).toContain("evil");
});
