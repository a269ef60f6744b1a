import { expect, test } from "vitest";
import type { CheckEvidence } from "../../../src/engine/evidence.ts";
import type { EventOf } from "../../../src/engine/events.ts";
import { engineLimits } from "../../../src/engine/limits.ts";
import { taskOf } from "../../../src/engine/state.ts";
import { remember } from "../../../src/engine/verdicts.ts";
import { spec, World } from "../../rig/world.ts";

const green: CheckEvidence = { key: "k", label: "npm test", state: "green", why: "", tail: "12 passed", durationMs: 1 };

type Verdict = EventOf<"verdict">;

function failed(more: Partial<Verdict> = {}, task = "a", attempt = 1): Verdict {
  const verdict = { type: "verdict", result: "failed", reason: "check", why: "no", placed: null } as const;
  return { ...verdict, task, attempt, tip: "base", guards: [], checks: [], ...more };
}

/** Candidates of these tasks wait in line, each on top of the one before. */
function inLine(...ids: readonly string[]): World {
  const world = new World(
    ids.map((id) => ({ ...spec(id), claims: { paths: [id], folders: [] } })),
    { parallel: 4 },
  );
  let tip = "base";
  for (const task of ids) {
    const of = { task, attempt: 1 };
    world.add({ type: "attempt-started", ...of, base: "base", role: "executor" });
    world.add({ type: "candidate-made", ...of, commit: `c-${task}`, paths: [task], pathCount: 1, diff: `d-${task}` });
    world.add({ type: "placed", ...of, tip, commit: `p-${task}`, tree: `t-${task}` });
    tip = `p-${task}`;
  }
  return world;
}

test("a failure on the tip counts at once, and the next attempt learns why", () => {
  const { state } = fails(inLine("a"), failed());
  expect(taskOf(state, "a")).toMatchObject({
    phase: "pending",
    spent: 1,
    feedback: { attempt: 1, reason: "check", why: "no" },
    failed: { base: "base", diff: "d-a" },
  });
});

test("a failure on a commit that has not landed counts only if that commit lands", () => {
  const world = fails(inLine("a", "b"), failed({ tip: "p-a" }, "b"));
  expect(taskOf(world.state, "b")).toMatchObject({ phase: "candidate", spent: 0, feedback: null });
  world.add({ ...failed({}, "a"), result: "passed", reason: null, placed: "p-a" });
  world.add({ type: "integrating", task: "a", attempt: 1, old: "base", new: "p-a" });
  world.add({ type: "task-integrated", task: "a", attempt: 1, commit: "p-a" });
  expect(taskOf(world.state, "b")).toMatchObject({ phase: "pending", spent: 1, feedback: { why: "no" } });
});

test("a failure on a commit that falls out of the line never counts", () => {
  const world = fails(inLine("a", "b"), failed({ tip: "p-a" }, "b"));
  fails(world, failed());
  expect(taskOf(world.state, "b")).toMatchObject({ phase: "candidate", spent: 0 });
});

test("a task that outgrew a context gets no further attempt; conflicts are no attempts, but are bounded", () => {
  const outgrown = fails(inLine("a"), failed({ reason: "context" }));
  expect(taskOf(outgrown.state, "a")).toMatchObject({ phase: "exhausted", spent: 1 });
  const conflict = failed({ result: "conflict", reason: "conflict" });
  const met = inLine("a");
  for (let count = 1; count <= engineLimits.conflictsPerTaskMax; count += 1) fails(met, conflict);
  expect(taskOf(met.state, "a")).toMatchObject({ phase: "pending", spent: 0 });
  fails(met, conflict);
  expect(taskOf(met.state, "a")).toMatchObject({ phase: "exhausted", spent: 0 });
});

test("what was green on a tree is known without its output; what was red, flaky or has no key is not", () => {
  const { state } = new World([spec("a")]);
  const { key: _, ...judged } = green;
  remember(state, "t", [
    { ...green, cached: true, of: "b" },
    { ...green, key: "red", state: "red" },
    { ...green, key: "flaky", label: "npm run e2e", flaky: true },
    judged,
  ]);
  expect([...(state.proven.get("t") ?? [])]).toEqual([["k", { ...green, tail: "" }]]);
  expect([...state.flaky]).toEqual([["flaky", "npm run e2e"]]);
});

test("only the trees that were seen last are remembered", () => {
  const { state } = new World([spec("a")]);
  for (let tree = 0; tree < engineLimits.treesRememberedMax; tree += 1) remember(state, `${tree}`, [green]);
  remember(state, "0", []);
  remember(state, "new", [green]);
  expect(state.proven.size).toBe(engineLimits.treesRememberedMax);
  expect(["0", "1", "2", "new"].filter((tree) => state.proven.has(tree))).toEqual(["0", "2", "new"]);
  expect(state.proven.get("0")?.has("k")).toBe(true);
});

function fails(world: World, verdict: Verdict): World {
  world.add(verdict);
  return world;
}
