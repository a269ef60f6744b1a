import { money } from "../engine/budget.ts";
import { whyUnpublished } from "../engine/push.ts";
import type { RunState } from "../engine/state.ts";
import { reasonHere, type RunSummary, type TaskStanding } from "../engine/summary.ts";
import { durationText } from "../base/duration.ts";
import { isNothing, shortCount } from "./render-cost.ts";

/** Writes the one paragraph that a person reads first. */
export function verdictOf(
  state: RunState,
  summary: RunSummary,
  { wallMs, mergedInto }: { readonly wallMs: number; readonly mergedInto?: string | undefined },
): string {
  const isLate = whyUnpublished(state, mergedInto) !== undefined;
  const sentences = [
    tasksText(mergedInto ?? (isLate ? null : state.branch), summary),
    standingText(state, summary, isLate),
    `${durationText(wallMs)}, ${spentText(summary)}`,
  ];
  return sentences
    .filter((sentence) => sentence !== "")
    .map((sentence) => `${sentence}.`)
    .join(" ");
}

function tasksText(branch: string | null, { tasks, state }: RunSummary): string {
  const counts = new Map<TaskStanding, number>();
  for (const task of tasks) counts.set(task.state, (counts.get(task.state) ?? 0) + 1);
  const others = Object.entries(words).flatMap(([standing, say]) => {
    const count = counts.get(standing as TaskStanding) ?? 0;
    return count === 0 ? [] : [`${count} ${say(count, state === "running")}`];
  });
  return [landedText(counts.get("integrated") ?? 0, tasks.length, branch), ...others].join("; ");
}

function landedText(landed: number, all: number, branch: string | null): string {
  const on = branch === null ? "" : ` on ${branch}`;
  if (landed === 0) return all === 1 ? "The task is not done yet" : `None of the ${all} tasks is done yet`;
  if (landed === all)
    return `${all === 1 ? "The task is" : `${all === 2 ? "Both" : `All ${all}`} tasks are`} verified${on}`;
  return `${landed} of ${all} tasks ${landed === 1 ? "is" : "are"} verified${on}`;
}

type Others = Exclude<TaskStanding, "integrated">;

/** Completes "2 …", for a run in progress or not. */
const words: Record<Others, (count: number, isRunning: boolean) => string> = {
  blocked: (count) => (count === 1 ? "is blocked and needs you" : "are blocked and need you"),
  asking: (count) => (count === 1 ? "has a question for you" : "have questions for you"),
  taken: (count) => (count === 1 ? "is taken by you" : "are taken by you"),
  running: (count, isRunning) => `${verb(count, isRunning)} in progress`,
  verifying: (count, isRunning) => `${verb(count, isRunning)} being verified`,
  pending: (count) => (count === 1 ? "has not started" : "have not started"),
  satisfied: () => `passed before any work, which proves nothing`,
};

function verb(count: number, isRunning: boolean): string {
  return count === 1 ? (isRunning ? "is" : "was") : isRunning ? "are" : "were";
}

function standingText({ finalVerified, parked }: RunState, summary: RunSummary, isLate: boolean): string {
  const { state } = summary;
  const final = finalVerified === null ? "" : `The final checks ${finalVerified.ok ? "passed" : "failed"}`;
  const late = isLate ? "The branch does not have all of the work yet" : "";
  const stands =
    state === "finished" || (parked !== null && taskMatters.has(parked.reason))
      ? ""
      : standings(state, reasonHere(summary));
  return [final, late, stands].filter((part) => part !== "").join(". ");
}

/** The counts of tasks say these already. */
const taskMatters: ReadonlySet<string> = new Set(["blocked", "question", "taken", "broken-check", "rest", "final-red"]);

function standings(state: RunSummary["state"], reason: string | null): string {
  const why = reason === null ? "" : ` (${reason})`;
  if (state === "running") return "The run is in progress";
  if (state === "interrupted") return "Not running (interrupted)";
  return `The run is ${state}${why}`;
}

/** An unknown cost is reported as such, because 0.00 would be a claim. */
function spentText({ cost, budget }: RunSummary): string {
  const unknown = cost.unpriced_tokens ?? 0;
  const cap = budget.usd === null ? "" : ` of ${money(budget.usd)}`;
  if (isNothing(cost)) return `cost not reported${budget.usd === null ? "" : ` (cap ${money(budget.usd)} USD)`}`;
  if (cost.usd === 0 && unknown > 0) return `cost unknown (${shortCount(unknown)} unpriced tokens)`;
  return `${money(cost.usd)} USD${cap}${unknown === 0 ? "" : `, plus ${shortCount(unknown)} unpriced tokens`}`;
}
