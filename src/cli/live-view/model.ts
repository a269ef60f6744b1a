import { runName } from "../../engine/run-name.ts";
import { clock } from "../../base/duration.ts";
import { localTime } from "../../base/local-time.ts";
import { money, whyRunCapped } from "../../engine/budget.ts";
import { whyUnpublished } from "../../engine/push.ts";
import { freeLanes } from "../../engine/schedule.ts";
import { add } from "../../engine/spending.ts";
import { finishingHint } from "../../engine/summary.ts";
import type { RunState } from "../../engine/state.ts";
import { shortCount } from "../../report/render-cost.ts";
import type { ParkReason } from "../../engine/events.ts";
import { higherCap, nextSteps } from "../../report/next-steps.ts";
import {
  finishedRows,
  type FinishedRow,
  needRows,
  type NeedRow,
  nextRows,
  type NextRow,
  runningRows,
  type RunningRow,
} from "./rows.ts";
import type { Snapshot } from "./history.ts";
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

/** The state of the run, in one word. */
export interface Status {
  readonly word: string;
  readonly tone: "good" | "wait" | "bad";
}

/** Gathers what a person wants to know about a run now. The effort grows with the running tasks, not with all tasks. */
export function viewModel(snapshot: Snapshot): ViewModel {
  const { state, record } = snapshot;
  const { integrated, satisfied, blocked } = state.counts;
  const [done, all] = [integrated + satisfied, state.tasks.size];
  const needs = needRows(state, record);
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
    notes: [...notesOf(snapshot), ...branchNotes(snapshot)],
    running,
    needs,
    next: nextRows(state, underWay),
    waiting: Math.max(0, all - done - blocked - state.active.size - state.held.size),
    finished: finishedRows(snapshot),
  };
}

/** A run without a driver is shown as such, whatever the journal says last. */
function statusOf({ state, driver, isStopping }: Snapshot): Status {
  if (state.finished !== null)
    return state.finished === "done" ? { word: "finished", tone: "good" } : { word: "unproven", tone: "wait" };
  if (driver === null) return { word: "not running", tone: "bad" };
  if (isStopping || state.stopped !== null) return { word: "stopping", tone: "wait" };
  if (state.paused) return { word: state.finishing.size > 0 ? "pausing" : "paused", tone: "wait" };
  return state.parked === null ? { word: "running", tone: "good" } : { word: "waiting", tone: "wait" };
}

/** Without a process that drives the run, its time stands still. */
function timeOf({ driver, now, record, state }: Snapshot): number {
  return driver === null || state.finished !== null ? record.last : now;
}

function lanesOf({ state, driver }: Snapshot): ViewModel["lanes"] {
  const all = state.settings.parallel;
  const isIdle = driver === null || state.parked !== null || state.finished !== null;
  if (state.paused) return { all, used: driver === null ? 0 : state.finishing.size };
  return { all, used: isIdle ? 0 : Math.min(all, Math.max(0, all - freeLanes(state))) };
}

/** Shows money, then tokens, each with its cap; what running agents have used counts. */
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

/** Says what else a person has to know: why nothing happens, until when, and what to type. */
function notesOf({ state, driver, isStopping, now, hasKeys }: Snapshot): string[] {
  const { parked, paused, finished, stopped } = state;
  if (finished !== null) return [];
  if (driver === null) {
    const why = parked === null ? (stopped ?? "interrupted") : `${reasons[parked.reason]}: ${parked.why}`;
    const needsMore = parked !== null && ["budget", "auth", "agent"].includes(parked.reason);
    const resume = needsMore ? nextSteps(state).join(" ") : `Resume it: \`stint resume ${runName(state)}\``;
    return [shown(`Not running (${why}). ${resume}`)];
  }
  if (isStopping)
    return [
      "Stopping agents, which does not count as an attempt; everything can be resumed. Ctrl-C again quits at once.",
    ];
  if (paused) return [pausedNote(state, hasKeys)];
  if (parked === null) return cappedNotes(state);
  const until = parked.until === null ? "" : ` until ${localTime(parked.until, now)}`;
  const left = parked.until === null ? "" : ` (${clock(Date.parse(parked.until) - now)} left)`;
  return [shown(`Waiting${until}${left}: ${reasons[parked.reason]}. ${parked.why}`)];
}

/** Work that does not reach its branch can be helped while agents work; what was seen before any landed may be fixed by now. */
function branchNotes({ state, branchProblem }: Snapshot): string[] {
  const { publication, finished } = state;
  if (publication === null) return branchProblem === undefined || finished !== null ? [] : [shown(branchProblem)];
  const deferred = whyUnpublished(state);
  return deferred === undefined ? [] : [shown(`Landed work is kept, but not on its branch. ${deferred}`)];
}

function pausedNote(state: RunState, hasKeys: boolean): string {
  const resume = `Resume it with ${hasKeys ? "p or " : ""}\`stint resume ${runName(state)}\`.`;
  const { size } = state.finishing;
  if (size === 0) return `Paused by a person. ${resume}`;
  return `Pausing: ${finishingHint(size, runName(state))}. ${resume}`;
}

/** At a cap of the run, running agents end and none starts; the cap can be raised from any terminal. */
function cappedNotes(state: RunState): string[] {
  const why = whyRunCapped(state);
  if (why === undefined) return [];
  const { budgetUsd } = state.settings;
  const raise = budgetUsd !== null && state.usage.usd >= budgetUsd ? ` Raise the cap: ${higherCap(state)}` : "";
  return [`No more agents are started: ${why}.${raise}`];
}

const reasons: Record<ParkReason, string> = {
  blocked: "blocked",
  question: "a question is open",
  taken: "a task is taken by hand",
  "broken-check": "a check cannot run",
  "final-red": "the final checks failed",
  budget: "budget reached",
  limit: "usage limit",
  overloaded: "the agent's service is overloaded or out of reach",
  auth: "the agent is not logged in",
  agent: "the agent cannot work",
  moved: "a ref was moved",
  rest: "the remaining tasks were not requested",
};
