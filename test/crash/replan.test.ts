import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { content, createReplanRig, drafts, infeasible } from "../rig/replanning.ts";
import type { Rig } from "../rig/rig.ts";

const [a, mended] = [makes("a.txt"), makes("b.txt", { goal: "Another way." })];

/** The only open task cannot be done until a planner changes it; `draft` says what its sessions do. */
async function stuck(draft: Parameters<Rig["moves"]>[0][string]): Promise<Rig> {
  return await createReplanRig({
    plan: { tasks: { "01-a": a, "02-b": makes("b.txt") } },
    moves: { "01-a": writes("a.txt"), "02-b": { 1: [infeasible], "*": writes("b.txt") }, draft, ...content },
  });
}

const proposal = drafts({ tasks: { "01-a": a, "02-b": mended } });
const usage = { usage: { usd: 0.25 } };

test("kill -9 while a planner revises: resume ends its session and daemon first, asks again, and counts what it used.", async () => {
  await using rig = await stuck({
    1: [usage, ...proposal, { daemon: "daemon" }, { hold: "never" }],
    "*": [usage, ...proposal],
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  expect(rig.processes().map(({ command }) => command)).toContain("sleep 1000 ");
  expectCode(await run.kill("SIGKILL"), null);

  expectCode(await rig.stint(["resume"]), 0);

  expect(rig.processes()).toEqual([]);
  expect(rig.events("plan-revised")).toHaveLength(1);
  expect(rig.events("replan-proposed")).toMatchObject([{ revision: 1, usage: { usd: 0.5 } }]);
  expect((await rig.status()).cost.usd).toBe(0.5);
  expect(sessionsOf(rig)).toEqual(["01-a 1", "02-b 1", "02-b 2"]);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});

test.each(["replan-proposed", "revision-accepted", "plan-revised"])(
  "kill -9 right after %s: the revision holds once, and the run is done.",
  async (type) => {
    await using rig = await stuck([usage, ...proposal]);
    const run = rig.start(["run", "--yes"]);
    await run.waitForEvent(type);
    await run.kill("SIGKILL");

    expectCode(await rig.stint(["resume"]), 0);

    expect(rig.events("plan-revised")).toHaveLength(1);
    expect((await rig.status()).cost.usd).toBe(0.25);
    expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
    expect(rig.git("show", "stint/work:plans/work/tasks/02-b.md")).toContain("Another way.");
  },
);

test("A new run of a changed plan ends the planner that a dead driver of the old one left.", async () => {
  await using rig = await stuck([{ daemon: "daemon" }, { hold: "never" }]);
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  await run.kill("SIGKILL");
  expect(rig.processes()).not.toEqual([]);
  rig.moves({ "01-a": writes("a.txt"), "02-b": writes("b.txt") });
  rig.write("plans/work/scope.md", rig.git("show", "HEAD:plans/work/scope.md").replace("Small.", "Smaller."));

  // The branch has the first run's work.
  expectCode(await rig.stint(["run", "--yes"]), 3);

  expect(rig.processes()).toEqual([]);
});
