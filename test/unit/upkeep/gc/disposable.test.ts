import { expect, test } from "vitest";
import type { RunEvent } from "../../../../src/engine/events.ts";
import { fateOfWorkspace, namedObjects } from "../../../../src/upkeep/gc/disposable.ts";
import type { StartedRun } from "../../../../src/project/runs.ts";
import { honest, spec, World } from "../../../rig/world.ts";

function run(world: World): StartedRun {
  const line = { v: 1, seq: 1, epoch: 1, at: "", prev: "", hash: "" } as const;
  return { id: "r", entries: world.events.map((event) => ({ ...line, ...event })), state: world.state };
}

function judged(world: World, name: string): string {
  const fate = fateOfWorkspace(run(world), name);
  return fate.kind === "keep" ? fate.why : `remove, on ${fate.base}`;
}

/** A run that is stopped as soon as an action of this kind is due. */
function stoppedAt(type: string, more: readonly RunEvent[] = []): World {
  const world = new World([spec("a")]);
  for (const event of more) world.add(event);
  const answer = honest();
  world.go((action, state) => (action.type === type ? { type: "stopped", why: "here" } : answer(action, state)));
  return world;
}

test.each(["baseline", "work", "collect"])("before %s is done, the workspace of the attempt stays", (type) => {
  expect(judged(stoppedAt(type), "a.1")).toBe("the attempt is not finished; `stint resume r` resumes it");
});

test.each(["verify", "integrate", "final-verify", "none"])("once its work is collected (at %s), it goes", (type) => {
  expect(judged(stoppedAt(type), "a.1")).toBe("remove, on base");
});

test("an earlier attempt is over while a later one is under way", () => {
  const world = new World([spec("a")]);
  const answer = honest((_, attempt) => (attempt === 1 ? { kind: "crashed", detail: "x" } : { kind: "ok" }));
  world.go((action, state) =>
    action.type === "work" && state.tasks.get("a")?.attempts === 2
      ? { type: "stopped", why: "here" }
      : answer(action, state),
  );
  expect([judged(world, "a.1"), judged(world, "a.2")]).toEqual([
    "remove, on base",
    "the attempt is not finished; `stint resume r` resumes it",
  ]);
});

test("what a person has taken stays until it has landed, also after it was handed in", () => {
  const taken: RunEvent = { type: "task-taken", task: "a", command: "c" };
  const world = stoppedAt("none", [taken]);
  expect(judged(world, "a.1")).toBe("a person is working in it; `stint submit a` submits it");
  world.add({ type: "task-submitted", task: "a", attempt: 1, command: "d" });
  world.add({ type: "candidate-made", task: "a", attempt: 1, commit: "c", paths: [], pathCount: 0, diff: "d" });
  expect(judged(world, "a.1")).toBe("a person is working in it; `stint submit a` submits it");
  world.go(honest());
  expect(judged(world, "a.1")).toBe("remove, on base");
});

test.each(["b.1", "a", "a.0", "a.01", "..", "a.1.index", "A.1", "a.2", "a.99999999999"])(
  "a folder named %j is no attempt of the run and stays",
  (name) => {
    expect(judged(stoppedAt("none"), name)).toMatch(/^(?:its name does not belong|the journal does not know)/);
  },
);

test("objects that an unfinished journal names are needed, those of a finished one are not", () => {
  const placed = { type: "placed", task: "a", attempt: 1, tip: "base", commit: "c".repeat(40), tree: "d".repeat(40) };
  const world = stoppedAt("verify", []);
  world.add(placed as RunEvent);
  expect(namedObjects([run(world)])).toEqual(new Set(["c".repeat(40), "d".repeat(40)]));
  world.state.finished = "done";
  expect(namedObjects([run(world)])).toEqual(new Set());
});
