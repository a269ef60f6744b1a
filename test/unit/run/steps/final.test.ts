import { expect, test } from "vitest";
import { verifyFinalTip } from "../../../../src/run/steps/final.ts";
import { checkKey, finalChecks } from "../../../../src/checks/checks.ts";
import { makes, type PlanSpec } from "../../../rig/plan.ts";
import { stage, type Showing, type Staged } from "../../../rig/rooms.ts";

const plan: PlanSpec & { rules: readonly string[] } = {
  tasks: { a: makes("a", { checks: ["check-a"] }), b: makes("b", { checks: ["check-b", "shared"] }) },
  checks: ["shared", "whole"],
  rules: ["lint"],
};
const allGreen: Showing = () => "green";
const never = new AbortController().signal;

function verified({ world }: Staged) {
  const event = world.events.at(-1);
  if (event?.type !== "final-verified") throw new Error(`expected final-verified, but was ${event?.type}`);
  return event;
}

test("every check of tasks, rules and plan is run once, and the evidence is in that order", async () => {
  const staged = stage(plan, allGreen, { parallel: 1 });
  await verifyFinalTip(staged.run, never);
  const { ok, tree, checks } = verified(staged);
  expect(ok).toBe(true);
  expect(tree).toBe("tree of of-b");
  expect(checks.map(({ label }) => label)).toEqual(["check-a", "check-b", "shared", "lint", "whole"]);
  expect(staged.asked).toHaveLength(5);
});

test("with several lanes, checks are spread over as many rooms, and the order of the evidence stays", async () => {
  const staged = stage(plan, allGreen, { parallel: 3 });
  await verifyFinalTip(staged.run, never);
  expect(staged.most()).toBe(3);
  expect(verified(staged).checks.map(({ label }) => label)).toEqual(["check-a", "check-b", "shared", "lint", "whole"]);
  expect(new Set(staged.asked).size).toBe(5);
});

test("what is known to be green on the very tree is not run again; what is known of another tree is", async () => {
  const staged = stage(plan, allGreen);
  const [first, second] = finalChecks(staged.run.plan, staged.run.rules);
  const known = (label: string) => ({ label, state: "green", why: "exit 0", tail: "", durationMs: 9 }) as const;
  staged.world.state.proven.set("tree of of-b", new Map([[checkKey(first!), known("check-a")]]));
  staged.world.state.proven.set("tree of of-a", new Map([[checkKey(second!), known("check-b")]]));
  await verifyFinalTip(staged.run, never);
  expect(staged.asked).not.toContain("check-a @ of-b");
  expect(staged.asked).toContain("check-b @ of-b");
  const { ok, checks } = verified(staged);
  expect(ok).toBe(true);
  expect(checks.map(({ cached }) => cached === true)).toEqual([true, false, false, false, false]);
});

test.each([
  ["watched", true],
  ["caches", "landed"],
])("what was green while something was there that could have made it so is asked again: %s", async (field, value) => {
  const staged = stage(plan, allGreen);
  const [first] = finalChecks(staged.run.plan, staged.run.rules);
  const known = { label: "check-a", state: "green", why: "exit 0", tail: "", durationMs: 9, [field]: value } as const;
  staged.world.state.proven.set("tree of of-b", new Map([[checkKey(first!), known]]));
  await verifyFinalTip(staged.run, never);
  expect(staged.asked).toContain("check-a @ of-b");
});

test("a red check is run once more on the same commit: green then is flaky, and the run is fine", async () => {
  const staged = stage(plan, (label, _, time) => (label === "lint" && time === 1 ? "red" : "green"));
  await verifyFinalTip(staged.run, never);
  const { ok, checks } = verified(staged);
  expect(ok).toBe(true);
  expect(checks[3]).toMatchObject({ label: "lint", state: "green", flaky: true, tail: "said red" });
  expect(checks[3]?.why).toBe("red at first (it is red), it is green when it was run again on the same tree");
  expect(staged.asked.filter((question) => question.startsWith("lint"))).toHaveLength(2);
});

test("a check that is red twice is red", async () => {
  const staged = stage(plan, (label) => (label === "lint" ? "red" : "green"));
  await verifyFinalTip(staged.run, never);
  const { ok, checks } = verified(staged);
  expect(ok).toBe(false);
  expect(checks[3]).toMatchObject({ state: "red" });
  expect(checks[3]).not.toHaveProperty("flaky");
});

test("a red check stays red where no room can be set up to ask it again", async () => {
  const staged = stage(plan, (label, _, time) => (label !== "lint" ? "green" : time === 1 ? "red" : "no-room"));
  await verifyFinalTip(staged.run, never);
  expect(verified(staged).checks[3]).toMatchObject({ state: "red", tail: "said red" });
});

test("where no room can be set up, nothing is run again: the checks are broken and the run is not fine", async () => {
  const staged = stage(plan, () => "no-room");
  await verifyFinalTip(staged.run, never);
  expect(staged.asked).toHaveLength(5);
  expect(verified(staged)).toMatchObject({ ok: false });
  expect(verified(staged).checks.every(({ cause }) => cause === "set-up")).toBe(true);
});

test("a room that fails ends the others, and nothing is journaled", async () => {
  const staged = stage(
    plan,
    (label) => {
      if (label === "check-b") throw new Error("no disk");
      return "green";
    },
    { parallel: 2 },
  );
  const before = staged.world.events.length;
  await expect(verifyFinalTip(staged.run, never)).rejects.toThrow("no disk");
  expect(staged.world.events).toHaveLength(before);
  expect(staged.asked.length).toBeLessThan(5);
});

test("an abort ends all rooms, and nothing is journaled", async () => {
  const abort = new AbortController();
  const staged = stage(
    plan,
    () => {
      abort.abort(new Error("stop"));
      return "green";
    },
    { parallel: 2 },
  );
  const before = staged.world.events.length;
  await expect(verifyFinalTip(staged.run, abort.signal)).rejects.toThrow("stop");
  expect(staged.world.events).toHaveLength(before);
  expect(staged.asked).toHaveLength(1);
});
