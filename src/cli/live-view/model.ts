import { money } from "../../engine/budget.ts";
import { freeLanes } from "../../engine/schedule.ts";
import { add } from "../../engine/spending.ts";
import type { TaskState } from "../../engine/state.ts";
import { needsOf, type NeedRow } from "./needs.ts";
import { nextOf, type NextRow } from "./next.ts";
import { runningRows, type RunningRow } from "./running.ts";
import type { Snapshot } from "./snapshot.ts";
import { notesOf, statusOf, type Status } from "./status-line.ts";
import { shortCount } from "../../report/render-cost.ts";
import { shown } from "./format.ts";

/** The content of the view, whatever the size of the terminal; all foreign text is neutralised. */
export interface ViewModel {
  readonly plan: string;
  readonly title: string;
  readonly status: Status;
  readonly elapsedMs: number;
  readonly progress: { readonly done: number; readonly blocked: number; readonly all: number };
  readonly cost: readonly string[];
  readonly lanes: { readonly used: number; readonly all: number };
  readonly notes: readonly string[];
  readonly running: readonly RunningRow[];
  readonly needs: readonly NeedRow[];
  readonly next: readonly NextRow[];
  /** How many tasks have not started, shown or not. */
  readonly waiting: number;
  readonly finished: readonly FinishedRow[];
}

/** One task that is done. */
export interface FinishedRow {
  readonly id: string;
  readonly title: string;
  /** Null if its checks passed before any work. */
  readonly commit: string | null;
  readonly attempts: number;
  readonly tookMs: number;
}

/** What a person wants to know about a run now. The effort grows with the running tasks, not with all tasks. */
export function viewModel(snapshot: Snapshot): ViewModel {
  const { state, record } = snapshot;
  const { integrated, satisfied, blocked } = state.counts;
  const [done, all] = [integrated + satisfied, state.tasks.size];
  const needs = needsOf(state, record);
  const running = runningRows(snapshot);
  const underWay = new Set([...running.map(({ id }) => id), ...needs.map(({ id }) => id)]);
  return {
    plan: shown(state.plan),
    title: shown(state.title),
    status: statusOf(snapshot),
    elapsedMs: record.begun === null ? 0 : timeOf(snapshot) - record.begun,
    progress: { done, blocked, all },
    cost: costOf(snapshot),
    lanes: lanesOf(snapshot),
    notes: notesOf(snapshot),
    running,
    needs,
    next: nextOf(state, underWay),
    waiting: Math.max(0, all - done - blocked - state.active.size - state.held.size),
    finished: finishedOf(snapshot),
  };
}

/** Without a process that drives the run, its time stands still. */
function timeOf({ driver, now, record, state }: Snapshot): number {
  return driver === null || state.finished !== null ? record.last : now;
}

function lanesOf({ state, driver }: Snapshot): ViewModel["lanes"] {
  const all = state.settings.parallel;
  const isIdle = driver === null || state.paused || state.parked !== null || state.finished !== null;
  return { all, used: isIdle ? 0 : Math.min(all, Math.max(0, all - freeLanes(state))) };
}

/** Money, then tokens, each with its cap; what running agents have used counts. */
function costOf({ state, sessions }: Snapshot): string[] {
  const { usd, inputTokens, outputTokens, unpricedTokens } = sessions.reduce<typeof state.usage>(add, state.usage);
  const { budgetUsd, budgetTokens } = state.settings;
  const tokens = inputTokens + outputTokens;
  const isUnknown = unpricedTokens > 0 && usd === 0;
  const paid = isUnknown ? "cost unknown" : `${unpricedTokens > 0 ? "at least " : ""}${money(usd)}`;
  const inMoney = budgetUsd === null ? (isUnknown ? paid : `${paid} USD`) : `${paid} of ${money(budgetUsd)} USD`;
  const inTokens = `${shortCount(tokens)}${budgetTokens === null ? "" : ` of ${shortCount(budgetTokens)}`} tokens`;
  return tokens === 0 && usd === 0 && budgetUsd === null && budgetTokens === null ? [] : [inMoney, inTokens];
}

function finishedOf({ state, record }: Snapshot): FinishedRow[] {
  return record.finished.toReversed().flatMap(({ task: id, commit, tookMs }) => {
    const task = state.tasks.get(id);
    return task === undefined || !isDone(task)
      ? []
      : [{ id, title: shown(task.spec.title), commit, attempts: task.attempts, tookMs }];
  });
}

function isDone({ phase }: TaskState): boolean {
  return phase === "integrated" || phase === "satisfied";
}
