import { isAsked } from "./asked.ts";
import { awaitedOf } from "./judging.ts";
import type { RunSettings } from "./events.ts";
import type { Spending } from "./session.ts";
import { add, noSpending } from "./spending.ts";
import { taskOf, type RunState } from "./state.ts";
import { train } from "./train.ts";

/** Running sessions have used this so far, by task; the journal does not know it yet. */
export type LiveSpending = ReadonlyMap<string, Spending>;

const nothingLive: LiveSpending = new Map();

/** Why no session of the run may start or keep running: what is recorded and what running sessions use have reached a cap together. */
export function whyRunCapped(state: RunState, live: LiveSpending = nothingLive): string | undefined {
  return whySpent([...live.values()].reduce(add, state.usage), state.settings);
}

/** Why nothing more may be spent. */
export function whySpent(
  total: Spending,
  { budgetUsd, budgetTokens }: Pick<RunSettings, "budgetUsd" | "budgetTokens">,
): string | undefined {
  if (budgetUsd !== null && total.usd >= budgetUsd) return spentOf(total.usd, budgetUsd);
  const tokens = total.inputTokens + total.outputTokens;
  if (budgetTokens !== null && tokens >= budgetTokens) return `${tokens} of ${budgetTokens} tokens are used`;
  return undefined;
}

/** Why no session of this task may start or keep running; other tasks are not concerned. */
export function whyTaskCapped(state: RunState, id: string, live: LiveSpending = nothingLive): string | undefined {
  const { taskUsd } = state.settings;
  const { usd } = add(taskOf(state, id).usage, live.get(id) ?? noSpending);
  return taskUsd !== null && usd >= taskUsd ? `${spentOf(usd, taskUsd)}, the cap per task` : undefined;
}

/** Why nothing that is ready may start; undefined where no cap is the reason. */
export function whyAllCapped(state: RunState): string | undefined {
  const ready = [...state.ready].filter((id) => isAsked(state, id));
  const judged = train(state).filter((car) => awaitedOf(car) !== undefined);
  const waiting = [...ready, ...judged.map(({ task }) => task.spec.id)];
  if (waiting.length === 0) return undefined;
  const ofRun = whyRunCapped(state);
  if (ofRun !== undefined) return ofRun;
  const ofTasks = waiting.map((id) => ({ id, why: whyTaskCapped(state, id) }));
  return ofTasks.some(({ why }) => why === undefined)
    ? undefined
    : ofTasks.map(({ id, why }) => `${id}: ${why}`).join("; ");
}

function spentOf(usd: number, cap: number): string {
  return `${money(usd)} of ${money(cap)} USD are spent`;
}

/** Rounds to cents, except for an amount that would then read as nothing. */
export function money(usd: number): string {
  return usd.toFixed(usd > 0 && usd < 0.01 ? 6 : 2);
}
