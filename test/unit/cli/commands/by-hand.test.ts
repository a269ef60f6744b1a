import { expect, test } from "vitest";
import { concludeWithoutWorkspace } from "../../../../src/cli/commands/by-hand.ts";
import { taskOf } from "../../../../src/engine/state.ts";
import { recordedIo } from "../../../rig/io.ts";
import { honest, spec, World } from "../../../rig/world.ts";

/** Returns the exit code and what is printed for a person who has submitted a task that passed. */
function concluded(end: (world: World) => void): [number, string] {
  const world = new World([spec("a")], { only: [] });
  world.add({ type: "task-taken", task: "a", command: "t" });
  world.go(honest());
  world.add({ type: "task-submitted", task: "a", attempt: 1, command: "s" });
  end(world);
  const { io, err } = recordedIo();
  return [concludeWithoutWorkspace(io, world.state, taskOf(world.state, "a")), err.join("\n")];
}

test("work that cannot land because somebody moved the run's ref is reported as waiting for that, not as paused", () => {
  const why = "the run's ref was moved to x by another program; it should be at y";
  const [code, said] = concluded((world) => world.add({ type: "parked", reason: "moved", why, until: null }));
  expect(code).toBe(1);
  expect(said).toContain(`task a is yours, but run r is waiting: ${why}. Find out who moved the ref`);
});

test("in a paused run the message says how to resume it", () => {
  const [code, said] = concluded((world) => world.add({ type: "paused", command: "p" }));
  expect([code, said]).toEqual([3, "stint: task a is yours, but run r is paused. Resume it with `stint resume r`."]);
});
