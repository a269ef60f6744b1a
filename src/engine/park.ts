import type { Park } from "./action.ts";
import type { ParkReason } from "./events.ts";
import { needsPerson } from "./session-end.ts";
import { heldTasks } from "./replan.ts";
import type { Hold, RunState, TaskState } from "./state.ts";
import { engineLimits } from "./limits.ts";

/** Waits for a person, and names what they should do first. */
export function parkForPerson(state: RunState): Park {
  const tasks = [...state.tasks.values()];
  const blocked = tasks.filter((task) => task.phase === "blocked");
  if (blocked.some((task) => task.blocked?.kind === "broken-check")) return waitFor("broken-check", named(blocked));
  const held = heldTasks(state).filter((task) => task.byHand);
  if (held.length > 0) {
    const waits = `revision ${state.replanning.accepted?.revision} waits for ${named(held)}, taken by hand`;
    return waitFor("taken", `${waits}: \`stint submit\` or \`stint requeue\` it`);
  }
  if (state.replanning.proposal !== null) return waitFor("question", [...state.questions.keys()].join(", "));
  if (blocked.length > 0) return waitFor("blocked", named(blocked));
  if (state.questions.size > 0) return waitFor("question", [...state.questions.keys()].join(", "));
  return waitFor("taken", named(tasks.filter((task) => task.phase === "taken")));
}

function named(tasks: readonly TaskState[]): string {
  return tasks.map((task) => task.spec.id).join(", ");
}

/** Waits until a person does something about it. */
export function waitFor(reason: ParkReason, why: string): Park {
  return { type: "park", reason, why, until: null, afterMs: null };
}

/** Waits longer each time, so that a reset time in the past, or one that is wrong again and again, does not become a loop of sessions. */
export function parkOnHold(state: RunState, hold: Hold): Park {
  const { reason, why, until } = hold;
  if (needsPerson(hold)) return waitFor(reason, why);
  const waits = until === null ? engineLimits.limitBackoffMs : [0, ...engineLimits.limitBackoffMs];
  const afterMs = waits[state.holdStreak] ?? null;
  return { type: "park", reason, why, until: afterMs === null ? null : until, afterMs };
}

/** Chooses the hold that an idle run waits for: one that ends by itself before one that needs a person, and the soonest of them. */
export function nextHold(holds: Iterable<Hold>): Hold | undefined {
  const all = [...holds];
  const passing = all.filter((hold) => !needsPerson(hold));
  const [soonest] = passing.toSorted((a, b) => ((a.until ?? "") < (b.until ?? "") ? -1 : 1));
  return soonest ?? all[0];
}
