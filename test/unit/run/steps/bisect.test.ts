import { expect, test } from "vitest";
import type { Regression } from "../../../../src/engine/evidence.ts";
import { findRegressions } from "../../../../src/run/steps/bisect.ts";
import { verifyFinalTip } from "../../../../src/run/steps/final.ts";
import { checkKey, finalChecks } from "../../../../src/checks/checks.ts";
import { makes, type PlanSpec } from "../../../rig/plan.ts";
import { stage, type Showing, type Staged } from "../../../rig/rooms.ts";

const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
const plan: PlanSpec & { rules: readonly string[] } = {
  tasks: Object.fromEntries(ids.map((id) => [id, makes(id, { checks: [`check-${id}`] })])),
  checks: ["whole"],
  rules: ["lint"],
};
const chain = ["base", ...ids.map((id) => `of-${id}`)];
const never = new AbortController().signal;

/** A world in which one check is red from a commit on, and everything else is green. */
function redSince(label: string, commit: string): Showing {
  return (asked, at) => (asked === label && chain.indexOf(at) >= chain.indexOf(commit) ? "red" : "green");
}

async function traced(staged: Staged): Promise<readonly Regression[]> {
  await verifyFinalTip(staged.run, never);
  staged.asked.length = 0;
  await findRegressions(staged.run, never);
  const event = staged.world.events.at(-1);
  if (event?.type !== "bisected") throw new Error(`expected bisected, but was ${event?.type}`);
  return event.regressions;
}

test("a task's check is traced to the commit after its own that turned it red", async () => {
  const staged = stage(plan, redSince("check-a", "of-d"));
  expect(await traced(staged)).toEqual([
    {
      ...{ key: expect.any(String) as string, label: "check-a", task: "d", commit: "of-d", paths: ["made of-d"] },
      why: "green on of-c, red since of-d, the commit of d",
    },
  ]);
  expect(staged.asked).not.toContain("check-a @ base");
  expect(staged.asked.length).toBeLessThanOrEqual(5);
});

test("a culprit may undo what it made, but no test that others have changed since", async () => {
  const staged = stage(plan, redSince("whole", "of-b"));
  const [made, changed] = [{ status: "A", lines: 1 } as const, { status: "M", lines: 1 } as const];
  const changes = async (from: string, to: string) => {
    if (to === "of-b") return ["src/b.js", "test/b.test.js", "test/c.test.js"].map((path) => ({ ...made, path }));
    return from === "of-b" && to === "of-h" ? ["src/b.js", "test/c.test.js"].map((path) => ({ ...changed, path })) : [];
  };
  Object.assign(staged.run.ports.repo, { changes });
  expect(await traced(staged)).toMatchObject([{ task: "b", paths: ["src/b.js", "test/b.test.js"] }]);
});

test("a check of the plan is traced from the base on if it is green there", async () => {
  const staged = stage(plan, redSince("whole", "of-a"));
  expect(await traced(staged)).toMatchObject([{ label: "whole", task: "a", commit: "of-a" }]);
  expect(staged.asked[0]).toBe("whole @ base");
});

test("a check of the plan that is red on the base is no task's doing", async () => {
  const staged = stage(plan, (label) => (label === "whole" ? "red" : "green"));
  expect(await traced(staged)).toMatchObject([
    { task: null, commit: null, why: "it fails on the run's base, too: no task broke it" },
  ]);
  expect(staged.asked).toEqual(["whole @ base"]);
});

test("a check of the rules was green after every task: the last one is asked about", async () => {
  expect(await traced(stage(plan, redSince("lint", "of-h")))).toMatchObject([{ label: "lint", task: "h" }]);
});

test("several red checks are traced at once, and reported in the order of the plan", async () => {
  const shows: Showing = (label, at, time) => {
    const first = redSince("check-a", "of-h")(label, at, time);
    return first === "red" ? first : redSince("check-b", "of-e")(label, at, time);
  };
  const found = await traced(stage(plan, shows, { parallel: 4 }));
  expect(found.map(({ label, task }) => [label, task])).toEqual([
    ["check-a", "h"],
    ["check-b", "e"],
  ]);
});

test("where the commits in between cannot be asked, nobody is blamed", async () => {
  const shows: Showing = (label, at) => {
    if (label !== "check-a" || at === "of-a") return "green";
    return at === "of-h" ? "red" : "broken";
  };
  expect(await traced(stage(plan, shows))).toMatchObject([
    { task: null, why: "it cannot be run on any commit between of-a (green) and of-h (red)" },
  ]);
});

test("a commit that cannot be asked is passed over where others tell", async () => {
  const since = redSince("check-a", "of-g");
  const shows: Showing = (label, at, time) =>
    label === "check-a" && at === "of-d" ? "broken" : since(label, at, time);
  expect(await traced(stage(plan, shows))).toMatchObject([{ task: "g" }]);
});

test("a check that turned from green to broken is traced, too", async () => {
  const shows: Showing = (label, at, time) =>
    redSince("check-a", "of-c")(label, at, time) === "red" ? "broken" : "green";
  expect(await traced(stage(plan, shows))).toMatchObject([
    { task: "c", why: "green on of-b, broken since of-c, the commit of c" },
  ]);
});

test("a check that does not say the same again blames nobody", async () => {
  const since = redSince("check-a", "of-d");
  const shows: Showing = (label, at, time) => (at === "of-d" && time > 1 ? "green" : since(label, at, time));
  const [found] = await traced(stage(plan, shows));
  expect(found).toMatchObject({ task: null });
  expect(found?.why).toContain("its result changes between runs on of-c (green) and of-d (red)");
});

test("what was green before and is red everywhere now has a cause outside the commits", async () => {
  const [found] = await traced(stage(plan, (label) => (label === "check-a" ? "red" : "green")));
  expect(found).toMatchObject({ label: "check-a", task: null });
});

test("what a tree is known to be green for is not asked in the search", async () => {
  const staged = stage(plan, redSince("check-a", "of-h"));
  const key = checkKey(finalChecks(staged.run.plan, staged.run.rules)[0]!);
  const green = { label: "check-a", state: "green", why: "", tail: "", durationMs: 1 } as const;
  for (const id of ids.slice(0, 6)) staged.world.state.proven.set(`tree of of-${id}`, new Map([[key, green]]));
  expect(await traced(staged)).toMatchObject([{ task: "h" }]);
  expect(new Set(staged.asked)).toEqual(new Set(["check-a @ of-g"]));
});

test("a task that landed twice is known by its last commit, and may undo what both made", async () => {
  const staged = stage(plan, redSince("check-a", "of-c"));
  staged.world.add({ type: "task-integrated", task: "c", attempt: 2, commit: "again" });
  chain.push("again");
  expect(await traced(staged)).toMatchObject([{ task: "c", commit: "of-c", paths: ["made of-c", "made again"] }]);
  chain.pop();
});

test("what is known of this tip from before is kept and not asked again", async () => {
  const staged = stage(plan, redSince("check-a", "of-d"));
  const before = await traced(staged);
  staged.world.add({ type: "resumed", why: "driver-started", pid: 1, settings: staged.world.state.settings });
  expect(await traced(staged)).toEqual(before);
  expect(staged.asked).toEqual([]);
});
