import { expect, test } from "vitest";
import type { ParkReason } from "../../../src/engine/events.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import { enter } from "../../../src/engine/state.ts";
import { spec, World } from "../../rig/world.ts";

test.each<[ParkReason, number]>([
  ["blocked", 3],
  ["question", 3],
  ["taken", 3],
  ["rest", 0],
  ["broken-check", 4],
  ["final-red", 4],
  ["budget", 5],
  ["limit", 75],
  ["overloaded", 75],
  ["auth", 3],
  ["agent", 3],
  ["moved", 1],
])("a run that waits because of %s ends with %i", (reason, code) => {
  const world = new World([spec("a")]);
  world.add({ type: "parked", reason, why: "", until: null });
  expect(exitCode(world.state)).toBe(code);
});

test("a run that is done ends with 0; one that proves nothing of a task ends with 3", () => {
  const world = new World([spec("a")]);
  world.add({ type: "run-finished", outcome: "done", tip: "t" });
  expect(exitCode(world.state)).toBe(0);
  world.add({ type: "run-finished", outcome: "unproven", tip: "t" });
  expect(exitCode(world.state)).toBe(3);
});

test("a run whose work is not on the user's branch ends with 3 until it is published, done or not", () => {
  for (const reason of ["rest", null] as const) {
    const world = new World([spec("a")]);
    world.state.tip = "t";
    world.add(
      reason === null
        ? { type: "run-finished", outcome: "done", tip: "t" }
        : { type: "parked", reason, why: "", until: null },
    );
    world.add({ type: "publish-deferred", commit: "t", branch: "stint/p", why: "It has diverged." });
    expect(exitCode(world.state)).toBe(3);
    world.add({ type: "published", commit: "t", branch: "stint/p" });
    expect(exitCode(world.state)).toBe(0);
  }
});

test("a run that did what was asked ends with 3 if nothing proves some of that", () => {
  const world = new World([spec("a"), spec("b")], { only: ["a"] });
  enter(world.state, "b", "satisfied");
  world.add({ type: "parked", reason: "rest", why: "", until: null });
  expect(exitCode(world.state)).toBe(0);
  enter(world.state, "a", "satisfied");
  expect(exitCode(world.state)).toBe(3);
});

test("a driver that was interrupted ends with 130, also while the run waits; one that ends for no reason with 1", () => {
  const world = new World([spec("a")]);
  expect(exitCode(world.state)).toBe(1);
  world.add({ type: "parked", reason: "limit", why: "", until: null });
  world.add({ type: "stopped", why: "interrupted" });
  expect(exitCode(world.state)).toBe(130);
});
