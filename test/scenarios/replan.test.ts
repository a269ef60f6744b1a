import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode, pathsOf, sessionsOf, verdictsOf } from "../rig/facts.ts";
import { writes, type Move } from "../rig/moves.ts";
import { makes, plan, type PlanSpec } from "../rig/plan.ts";
import type { Rig } from "../rig/rig.ts";
import { content, createReplanRig, drafts, infeasible, planAt } from "../rig/replanning.ts";

const [a, b, c] = [makes("a.txt"), makes("b.txt", { depends: ["01-a"] }), makes("c.txt", { depends: ["02-b"] })];
const before = { "01-a": a, "02-b": b, "03-c": c };
const split = {
  "01-a": a,
  "02-b-half": makes("b1.txt", { depends: ["01-a"] }),
  "02-b-rest": makes("b.txt", { depends: ["02-b-half"] }),
  "03-c": makes("c.txt", { depends: ["02-b-rest"] }),
};
const works = {
  "01-a": writes("a.txt"),
  "02-b": [infeasible],
  "02-b-half": writes("b1.txt"),
  "02-b-rest": writes("b.txt"),
  "03-c": writes("c.txt"),
};

/** Keeps what a planner was told of its last draft. */
function told(name: string): Move {
  return { shell: `cp "$STINT_INBOX/problems.md" "$(dirname "$RIG_MOVES")/${name}"` };
}

function said(rig: Rig, name: string): string {
  return readFileSync(join(rig.outside, name), "utf8");
}

/** plan.md with every box ticked. */
function ticked(tasks: PlanSpec["tasks"]): string {
  return (plan({ tasks })["plans/work/plan.md"] ?? "").replaceAll("[ ]", "[x]");
}

test("A task that is infeasible is split by a planner, and the run finishes with task commits only, each with its tick.", async () => {
  await using rig = await createReplanRig({
    plan: { tasks: before },
    moves: {
      ...works,
      draft: [
        { save: "planner" },
        { shell: 'cp -r "$STINT_INBOX" "$(dirname "$RIG_MOVES")/inbox"' },
        ...drafts({ tasks: split }),
      ],
      ...content,
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(commitsOf(rig)).toEqual(["01-a", "02-b-half", "02-b-rest", "03-c"]);
  const [first = "", second = "", , last = ""] = rig
    .git("log", "--reverse", "--format=%H", "main..stint/work")
    .split("\n");
  expect(pathsOf(rig, first)).toEqual(["a.txt", "plans/work/plan.md"]);
  expect(pathsOf(rig, second)).toEqual([
    "b1.txt",
    "plans/work/plan.md",
    "plans/work/tasks/02-b-half.md",
    "plans/work/tasks/02-b-rest.md",
    "plans/work/tasks/02-b.md",
    "plans/work/tasks/03-c.md",
  ]);
  expect(planAt(rig, second)).toMatch(
    /- \[x\] \[01-a\].*\n- \[x\] \[02-b-half\].*\n- \[ \] \[02-b-rest\].*\n- \[ \] \[03-c\]/,
  );
  expect(planAt(rig, last).match(/\[x\]/g)).toHaveLength(4);
  expect(pathsOf(rig, last)).toEqual(["c.txt", "plans/work/plan.md"]);
  expect(rig.events("plan-revised")).toMatchObject([
    {
      revision: 1,
      by: null,
      changes: [
        { id: "02-b-half", change: "added" },
        { id: "02-b-rest", change: "added" },
        { id: "03-c", change: "changed" },
        { id: "02-b", change: "removed" },
      ],
    },
  ]);
  const inbox = (name: string) => readFileSync(join(rig.outside, "inbox", name), "utf8");
  expect(inbox("done.md")).toContain("`01-a` Do 01-a: commit ");
  expect(inbox("evidence.md")).toContain("There is no such thing.");
  expect(inbox("plan/tasks/02-b.md")).toContain("Do 02-b");
  const { env } = rig.saved("planner");
  expect([env["STINT_ROLE"], env["STINT_TASK"], env["STINT_ATTEMPT"]]).toEqual(["planner", "draft", "1"]);
  expect(sessionsOf(rig).filter((one) => one.startsWith("01-a"))).toHaveLength(1);
  // HEAD still holds the plan that was approved: the run of it is over. After the merge HEAD holds the revised one.
  expectCode(await rig.stint(["run"]), 0);
  rig.git("merge", "--quiet", "stint/work");
  const again = await rig.stint(["run"]);
  expectCode(again, 0);
  expect(rig.events("run-started")).toHaveLength(1);
});

test("A planner that changes, renames or ticks what is not its own is told so, and no plan comes of it while it goes on.", async () => {
  const { "01-a": done, ...rest } = split;
  const other = makes("a.txt", { title: "Something else" });
  await using rig = await createReplanRig({
    plan: { tasks: before },
    moves: {
      ...works,
      draft: {
        1: [{ write: ".stint/rules.md", text: "Do as you like.\n" }, ...drafts({ tasks: { ...rest, "01-a": other } })],
        2: [told("second"), ...drafts({ tasks: { "01-renamed": done, ...rest } })],
        3: [told("third"), { leave: "plan.md", text: ticked(split) }],
        "*": [told("last"), { leave: "plan.md", text: ticked(split) }],
      },
      ...content,
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 3);

  expect(rig.events("replan-proposed")).toEqual([]);
  expect(rig.events("replan-failed")).toMatchObject([{ why: expect.stringContaining("errors") }]);
  expect(said(rig, "second")).toContain("tasks/01-a.md:1: error: 01-a is done: leave it as it is.");
  expect(said(rig, "third")).toMatch(/plan\.md:1: error: 01-a is done.*Keep its line/);
  expect(said(rig, "last")).toContain('the box of "03-c" is ticked, but it is not done');
  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect((await rig.status()).tasks).toMatchObject([
    { state: "integrated" },
    { state: "blocked" },
    { state: "pending" },
  ]);
});

test("What is not affected goes on while a plan is revised: the same session lands, and one that is affected ends uncounted, its work saved.", async () => {
  const free = makes("free.txt");
  await using rig = await createReplanRig({
    plan: { tasks: { "01-bad": makes("bad.txt"), "02-free": free, "03-old": makes("old.txt") } },
    run: { parallel: 3 },
    moves: {
      "01-bad": [{ hold: "bad" }, infeasible],
      "02-free": [{ hold: "free" }, ...writes("free.txt")],
      "03-old": { 1: [{ write: "old.txt", text: "half\n" }, { hold: "never" }], "*": writes("new.txt") },
      draft: [...drafts({ tasks: { "02-free": free, "03-old": makes("new.txt") } })],
      ...content,
    },
  });
  const run = rig.start(["run", "--yes"]);
  await Promise.all(["bad", "free", "never"].map((name) => run.waitForHold(name)));
  rig.release("bad");
  await run.waitForEvent("plan-revised");
  const pidOf = (task: string) =>
    rig.events("agent-started", task).map((event) => (event["process"] as { pid: number }).pid);
  expect(rig.events("agent-finished", "02-free")).toEqual([]);
  const [pid] = pidOf("02-free");
  rig.release("free");

  expectCode(await run.ended, 0);

  expect(pidOf("02-free")).toEqual([pid]);
  expect(commitsOf(rig).toSorted()).toEqual(["02-free", "03-old"]);
  expect(rig.events("agent-finished", "03-old")[0]).toMatchObject({ outcome: { kind: "interrupted" } });
  const { run: id, tasks } = await rig.status();
  expect(tasks.map(({ id: task }) => task)).toEqual(["02-free", "03-old"]);
  expect(rig.controlGit("show", `refs/stint/rescue/${id}/03-old/1:old.txt`)).toBe("half");
});

test("A run asks for another plan as often as the settings allow, and what planners use counts in its budget.", async () => {
  const round = drafts({ tasks: { "01-a": a, "02-b": makes("b.txt", { depends: ["01-a"], goal: "Round" }) } });
  const another = { shell: 'date +%N >>"$STINT_OUTBOX/tasks/02-b.md"' };
  await using rig = await createReplanRig({
    plan: { tasks: { "01-a": a, "02-b": b } },
    run: { replan_max: 2 },
    config: { budget: { usd: 100 } },
    moves: { ...works, draft: [{ usage: { usd: 3 } }, ...round, another], ...content },
  });

  expectCode(await rig.stint(["run", "--yes"]), 3);

  expect(rig.events("replan-started")).toHaveLength(2);
  expect(rig.events("plan-revised")).toHaveLength(2);
  expect((await rig.status()).cost.usd).toBe(6);
  expect(sessionsOf(rig).filter((one) => one.startsWith("02-b"))).toEqual(["02-b 1", "02-b 2", "02-b 3"]);
});

test("A planner ends at the run's cap, which the run then waits at.", async () => {
  await using rig = await createReplanRig({
    plan: { tasks: before },
    config: { budget: { usd: 1 } },
    moves: { ...works, draft: [{ usage: { usd: 5 } }, { hold: "never" }], ...content },
  });
  expectCode(await rig.stint(["run", "--yes"]), 5);
  expect(rig.events("replan-failed")).toMatchObject([{ outcome: { kind: "budget" }, usage: { usd: 5 } }]);
  expect(rig.processes()).toEqual([]);
});

test("An agent's edit below plans/ is refused also where a revision replaces that folder; without the edit the same work lands.", async () => {
  const edit = { append: "plans/work/tasks/03-c.md", text: "\nNo checks are needed.\n" };
  await using rig = await createReplanRig({
    plan: { tasks: before },
    run: { attempts: 2 },
    moves: {
      ...works,
      "02-b": [infeasible],
      "02-b-half": { 1: [...writes("b1.txt"), edit], 2: writes("b1.txt") },
      draft: [...drafts({ tasks: split })],
      ...content,
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(verdictsOf(rig, "02-b-half")).toMatchObject([
    { result: "failed", guards: ["protected plans/work/tasks/03-c.md"] },
    { result: "passed" },
  ]);
  expect(rig.git("show", "stint/work:plans/work/tasks/03-c.md")).not.toContain("No checks");
});

test("Once the branch is merged half-way, HEAD holds the revised plan, and `stint run` goes on with the same run.", async () => {
  await using rig = await createReplanRig({
    plan: { tasks: before },
    run: { replan_max: 1 },
    moves: { ...works, "02-b-rest": [infeasible], draft: drafts({ tasks: split }), ...content },
  });
  expectCode(await rig.stint(["run", "--yes"]), 3);
  rig.git("merge", "--quiet", "stint/work");
  rig.moves(works);
  expectCode(await rig.stint(["requeue", "02-b-rest"]), 0);

  expectCode(await rig.stint(["run"]), 0);

  expect(rig.events("run-started")).toHaveLength(1);
  expect(commitsOf(rig)).toEqual(["02-b-rest", "03-c"]);
});
