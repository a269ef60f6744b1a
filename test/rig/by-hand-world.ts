import type { Action } from "../../src/engine/action.ts";
import type { RunEvent } from "../../src/engine/events.ts";
import { taskOf, type RunState } from "../../src/engine/state.ts";
import { honest, spec, World } from "./world.ts";

export const of = (task: string, attempt = 1) => ({ task, attempt });

/** Makes a world in which a person has taken the task `a`; nothing else was asked for. */
export function taken(world = new World([spec("a"), spec("b", ["a"]), spec("c")], { only: [] })): World {
  world.add({ type: "task-taken", task: "a", command: "t" });
  world.go(honest());
  return world;
}

export function submit(world: World, choose: (action: Action, state: RunState) => RunEvent = honest()): void {
  world.add({ type: "task-submitted", ...of("a", taskOf(world.state, "a").attempts), command: "s" });
  world.go(choose);
}
