import { money } from "../engine/budget.ts";
import type { RunState } from "../engine/state.ts";
import type { RunSummary, TaskStanding } from "../engine/summary.ts";
import { durationText } from "./duration.ts";
import { isNothing } from "./render-cost.ts";

/** The one paragraph that a person reads first. */
export function verdictOf(state: RunState, summary: RunSummary, wallMs: number): string {
  const sentences = [
    tasksText(state.branch, summary),
    standingText(state, summary),
    `${durationText(wallMs)}, ${spentText(summary)}`,
  ];
  return sentences
    .filter((sentence) => sentence !== "")
    .map((sentence) => `${sentence}.`)
    .join(" ");
}

function tasksText(branch: string, { tasks, state }: RunSummary): string {
  const counts = new Map<TaskStanding, number>();
  for (const task of tasks) counts.set(task.state, (counts.get(task.state) ?? 0) + 1);
  const others = Object.entries(words).flatMap(([standing, say]) => {
    const count = counts.get(standing as TaskStanding) ?? 0;
    return count === 0 ? [] : [`${count} ${say(count, state === "running")}`];
  });
  return [landedText(counts.get("integrated") ?? 0, tasks.length, branch), ...others].join("; ");
}

function landedText(landed: number, all: number, branch: string): string {
  if (landed === 0) return all === 1 ? "The task has not landed" : `None of the ${all} tasks has landed`;
  if (landed === all) return `${all === 1 ? "The task is" : `All ${all} tasks are`} verified on ${branch}`;
  return `${landed} of ${all} tasks ${landed === 1 ? "is" : "are"} verified on ${branch}`;
}

type Others = Exclude<TaskStanding, "integrated">;

/** As the end of "2 …", of a run that goes on or does not. */
const words: Record<Others, (count: number, goesOn: boolean) => string> = {
  blocked: (count) => (count === 1 ? "is blocked and needs a word from you" : "are blocked and need a word from you"),
  asking: (count) => (count === 1 ? "asks you a question" : "ask you a question"),
  taken: (count) => (count === 1 ? "is in your hands" : "are in your hands"),
  running: (count, goesOn) => `${verb(count, goesOn)} under way`,
  verifying: (count, goesOn) => `${verb(count, goesOn)} being verified`,
  pending: (count) => (count === 1 ? "has not begun" : "have not begun"),
  satisfied: (count) => `${count === 1 ? "was" : "were"} green before any work, which proves nothing`,
};

function verb(count: number, goesOn: boolean): string {
  return count === 1 ? (goesOn ? "is" : "was") : goesOn ? "are" : "were";
}

function standingText(
  { finalVerified, parked, publication, tip, base }: RunState,
  { state, reason }: RunSummary,
): string {
  const final = finalVerified === null ? "" : `The final checks are ${finalVerified.ok ? "green" : "red"}`;
  const deferred = publication !== null && publication.deferred !== null && tip !== base;
  const late = deferred ? "The branch does not have all of it yet" : "";
  const stands =
    state === "finished" || (parked !== null && taskMatters.has(parked.reason)) ? "" : standings(state, reason);
  return [final, late, stands].filter((part) => part !== "").join(". ");
}

/** Said by the tasks themselves. */
const taskMatters: ReadonlySet<string> = new Set(["blocked", "question", "taken", "broken-check", "rest", "final-red"]);

function standings(state: RunSummary["state"], reason: string | null): string {
  const why = reason === null ? "" : ` (${reason})`;
  if (state === "running") return "The run goes on";
  if (state === "interrupted") return "No process drives it";
  return `The run ${state === "waiting" ? "waits" : `is ${state}`}${why}`;
}

/** Money that nobody knows is said, because 0.00 would be a claim. */
function spentText({ cost, budget }: RunSummary): string {
  const unknown = cost.unpriced_tokens ?? 0;
  const cap = budget.usd === null ? "" : ` of ${money(budget.usd)}`;
  if (isNothing(cost)) return `no cost told${budget.usd === null ? "" : ` (cap ${money(budget.usd)} USD)`}`;
  if (cost.usd === 0 && unknown > 0) return `money unknown (${unknown} tokens without a price)`;
  return `${money(cost.usd)} USD${cap}${unknown === 0 ? "" : ` and an unknown amount for ${unknown} tokens without a price`}`;
}
