import { taskOf, type RunState } from "../engine/state.ts";
import { tasksBetween } from "../engine/train.ts";
import { isClaimed, meetingPlace } from "../plan/claims.ts";
import { ancestors } from "../plan/graph.ts";

/** A candidate that is put on a commit. */
export interface Landing {
  readonly task: string;
  readonly onto: string;
  /** All that the candidate changes. */
  readonly paths: readonly string[];
}

/** The earlier tasks whose checks a candidate might turn red: those it builds on, and those it might share a file with. */
export function affectedTasks(state: RunState, { task: id, onto, paths }: Landing): string[] {
  const satisfied = [...state.tasks.values()].filter(({ phase }) => phase === "satisfied").map(({ spec }) => spec.id);
  const earlier = new Set([...satisfied, ...tasksBetween(state, state.base, onto)]);
  earlier.delete(id);
  if (state.settings.reverify === "all") return [...earlier];
  const { claims } = taskOf(state, id);
  const before = ancestors(
    [...state.tasks.values()].map(({ spec }) => spec),
    id,
  );
  return [...earlier].filter((other) => {
    const theirs = taskOf(state, other).claims;
    const isShared = meetingPlace(claims, theirs) !== undefined || paths.some((path) => isClaimed(path, theirs));
    return isShared || before.has(other);
  });
}
