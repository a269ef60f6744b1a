import { expect, test } from "vitest";
import { plain } from "../../../../src/cli/paint.ts";
import { concludeWithoutWorkspace } from "../../../../src/cli/commands/by-hand.ts";
import { taskOf } from "../../../../src/engine/state.ts";
import { honest, spec, World } from "../../../rig/world.ts";

/** Of a person who has handed in a task that has passed; the code, then what is said. */
function concluded(end: (world: World) => void): [number, string] {
  const world = new World([spec("a")], { only: [] });
  world.add({ type: "task-taken", task: "a", command: "t" });
  world.go(honest());
  world.add({ type: "task-submitted", task: "a", attempt: 1, command: "s" });
  end(world);
  const said: string[] = [];
  const io = {
    cwd: "/",
    env: {},
    out: () => undefined,
    err: (line: string) => void said.push(line),
    interactive: false,
    paint: plain,
  };
  const signal = new AbortController().signal;
  return [concludeWithoutWorkspace({ ...io, signal }, world.state, taskOf(world.state, "a")), said.join("\n")];
}

test("what was handed in and cannot land because somebody moved the run's ref is told so, not that the run is paused", () => {
  const why = "the run's ref was moved to x by another program; it should be at y";
  const [code, said] = concluded((world) => world.add({ type: "parked", reason: "moved", why, until: null }));
  expect(code).toBe(1);
  expect(said).toContain(`task a is yours, but run r is waiting: ${why}. Find out who moved the ref`);
});

test("in a paused run it is told that", () => {
  const [code, said] = concluded((world) => world.add({ type: "paused", command: "p" }));
  expect([code, said]).toEqual([3, "stint: task a is yours, but run r is paused. Resume it with `stint resume r`."]);
});
