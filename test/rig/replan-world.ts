import type { Action } from "../../src/engine/action.ts";
import type { Command, Request } from "../../src/engine/commands.ts";
import type { EventType, Revision, RunEvent, RunSettings, TaskSpec } from "../../src/engine/events.ts";
import type { RunState } from "../../src/engine/state.ts";
import type { TaskChange } from "../../src/plan/diff.ts";
import { honest, spec, World } from "./world.ts";

export const own = (id: string, depends: readonly string[] = []): TaskSpec =>
  spec(id, depends, { create: [`${id}.txt`], modify: [], delete: [], touch: [] });
export const crash = { kind: "crashed", detail: "exit 1" } as const;
export const usage = { inputTokens: 100, outputTokens: 10, usd: 0.25, unpricedTokens: 0 };

/** Tasks a and c fail for good, all others are done; the planner says what it is told to. */
export function failing(ids: readonly string[], propose: (revision: number, state: RunState) => RunEvent) {
  const fine = honest((task) => (ids.includes(task) ? crash : { kind: "ok" }));
  return (action: Action, state: RunState): RunEvent => {
    if (action.type === "adopt") return { type: "plan-revised", ...state.replanning.accepted! };
    if (action.type !== "replan") return fine(action, state);
    if (state.replanning.open === null) {
      return { type: "replan-started", revision: action.revision, tasks: action.asking.map(({ task }) => task) };
    }
    return propose(action.revision, state);
  };
}

export function revisionOf(revision: number, tasks: readonly TaskSpec[], changes: readonly TaskChange[]): Revision {
  return { revision, commit: `commit-${revision}`, planHash: `hash-${revision}`, tasks, changes };
}

export function proposed(revision: Revision): RunEvent {
  return { type: "replan-proposed", ...revision, usage };
}

export const gone = (id: string): TaskChange => ({ id, change: "removed" });
export const added = (id: string): TaskChange => ({ id, change: "added" });
export const changed = (id: string): TaskChange => ({ id, change: "changed" });

export function blockedWorld(replan: RunSettings["replan"], more: Partial<RunSettings> = {}): World {
  return new World([own("a"), own("b"), own("c", ["a"])], { replan, replanMax: 2, attempts: 1, ...more });
}

export function typesOf(world: World, ...types: readonly EventType[]): string[] {
  return world.events.map(({ type }) => type).filter((type) => types.includes(type));
}

/** Instead of a: d, which c waits for now. */
export const instead = (revision: number) =>
  proposed(revisionOf(revision, [own("b"), own("d"), own("c", ["d"])], [added("d"), changed("c"), gone("a")]));

export const judge = { epoch: 1, pid: 1 };
export const command = (request: Request): Command => ({ ...request, v: 1, id: "cmd", run: "r", epoch: 1 });
