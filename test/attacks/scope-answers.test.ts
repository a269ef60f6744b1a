import { expect, test } from "vitest";
import { expectCode, pathsOf, sessionsOf, verdictsOf } from "../rig/facts.ts";
import { writes, type Move, type Moves } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

/** One task that makes a.txt, whose moves need more than its files. */
async function rigWith(policy: string, moves: Moves): Promise<Rig> {
  const plan = { tasks: { "01-a": makes("a.txt") } };
  return createRig({ plan, config: { run: { scope_requests: policy, attempts: 2 } }, moves });
}

const both = [...writes("a.txt"), ...writes("src/x.txt")];
const done: Move = { report: { status: "done", summary: "Wrote both.", need_files: ["src/x.txt"] } };

test("grant: the same candidate is verified with the files, and lands without a second session.", async () => {
  await using rig = await rigWith("grant", { "01-a": [...both, done] });

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(sessionsOf(rig)).toEqual(["01-a 1"]);
  expect(rig.events("scope-decided")).toMatchObject([{ files: ["src/x.txt"], granted: true }]);
  expect(pathsOf(rig, "stint/work")).toEqual(["a.txt", "plans/work/plan.md", "src/x.txt"]);
});

test("A person refuses: the candidate is judged as it is, and the next session is told of both.", async () => {
  await using rig = await rigWith("ask", {
    "01-a": { 1: [...both, done], 2: [{ save: "second" }, ...writes("a.txt")] },
  });
  expectCode(await rig.stint(["run", "--yes"]), 3);
  expectCode(await rig.stint(["answer", "01-a.1", "refuse"]), 0);

  expectCode(await rig.stint(["resume"]), 0);

  expect(verdictsOf(rig, "01-a")).toMatchObject([
    { result: "failed", guards: ["scope src/x.txt"] },
    { result: "passed" },
  ]);
  const { prompt } = rig.saved("second");
  expect(prompt).toContain("It asked for more files: a person refused.");
  expect(prompt).toMatch(/> May it also create or change src\/x\.txt\?.*\n\nrefuse\n/);
});

test("refuse: nobody is asked, and the verdict tells why the files are not to be had.", async () => {
  await using rig = await rigWith("refuse", {
    "01-a": { 1: [...both, done], 2: [{ save: "second" }, ...writes("a.txt")] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(rig.events("question")).toEqual([]);
  expect(rig.saved("second").prompt).toContain("It asked for more files: The settings refuse requests for files.");
});

test("Blocked for want of files: a grant is a new session that counts no attempt and says what it may touch besides.", async () => {
  const stuck: Move = { report: { status: "blocked", reason: "x lacks a line.", need_files: ["src/x.txt"] } };
  await using rig = await rigWith("ask", { "01-a": { 1: [stuck], 2: [{ save: "second" }, ...both] } });
  expectCode(await rig.stint(["run", "--yes"]), 3);
  expectCode(await rig.stint(["answer", "01-a.1", "grant"]), 0);

  expectCode(await rig.stint(["resume"]), 0);

  expect(sessionsOf(rig)).toEqual(["01-a 1", "01-a 2"]);
  expect(rig.saved("second").prompt).toContain("- create or modify, as granted: src/x.txt\n");
  expect(rig.events("verdict")).toHaveLength(1);
});

test("An answer from another terminal reaches the driver while it works on other tasks, on its one lane.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    moves: { "01-a": [...both, done], "02-b": [{ hold: "b" }, ...writes("b.txt")] },
  });
  const running = rig.start(["run", "--yes"]);
  await running.waitForHold("b");

  const answer = await rig.stint(["answer", "01-a.1", "grant"]);
  rig.release("b");

  expectCode(answer, 0);
  expectCode(await running.ended, 0);
  expect(sessionsOf(rig)).toEqual(["01-a 1", "02-b 1"]);
});
