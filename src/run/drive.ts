import { isObsolete, type Action } from "../engine/action.ts";
import { decide } from "../engine/decide.ts";
import type { RunState } from "../engine/state.ts";
import { unreachable } from "../base/result.ts";
import { hearCommands } from "./hear-commands.ts";
import type { Run } from "./run.ts";
import { takeBaseline } from "./steps/baseline.ts";
import { findRegressions } from "./steps/bisect.ts";
import { collectWork } from "./steps/collect.ts";
import { verifyFinalTip } from "./steps/final.ts";
import { giveWorkspace } from "./steps/give.ts";
import { integrateTask } from "./steps/integrate.ts";
import { askJudge, endJudge } from "./steps/judge.ts";
import { publishTip } from "./steps/publish.ts";
import { pushTip } from "./steps/push.ts";
import { adoptRevision, endReplan, performReplan } from "./steps/replan.ts";
import { settleScope } from "./steps/scope.ts";
import { endSession, workOnTask } from "./steps/session.ts";
import { verifyCandidate } from "./steps/verify.ts";

export interface DriveOptions {
  readonly signal: AbortSignal;
  /** Wait for a usage limit to reset, or end with its exit code. */
  readonly wait: boolean;
  /** Hears at once what failed while other steps are still running. The first failure is thrown when they have ended. */
  readonly tell?: (failure: unknown) => void;
}

/** Performs what the engine decides until nothing is left to do; the state then says why, and with which exit code. */
export async function drive(run: Run, options: DriveOptions): Promise<RunState> {
  const failures: unknown[] = [];
  const unhear = hearCommands(run, (failure) => void failures.push(failure));
  options.signal.addEventListener("abort", run.bell.ring);
  try {
    return await driveToEnd(run, options, failures);
  } finally {
    options.signal.removeEventListener("abort", run.bell.ring);
    unhear();
  }
}

async function driveToEnd(run: Run, options: DriveOptions, failures: unknown[]): Promise<RunState> {
  const { signal, wait } = options;
  for (;;) {
    await settle(run, options, failures);
    const { stopped, parked } = run.state;
    if (signal.aborted && stopped === null) run.append({ type: "stopped", why: "interrupted" });
    const until = parked?.until ?? null;
    if (run.state.stopped !== null || until === null || !wait) return run.state;
    if (!(await waitUntil(run, until))) continue;
    run.append({ type: "resumed", why: "wait-over", pid: run.pid, settings: run.state.settings });
  }
}

/** False where something happened first: a command came, or the signal aborted. */
async function waitUntil(run: Run, until: string): Promise<boolean> {
  const disturbed = new AbortController();
  void run.bell.after(run.bell.count()).then(() => disturbed.abort());
  await run.ports.clock.waitUntil(until, disturbed.signal);
  return !disturbed.signal.aborted;
}

interface UnderWay {
  readonly action: Action;
  readonly abort: AbortController;
}

/**
 * Runs actions side by side, asking again after every event, until none is due or the signal aborts; a paused run is waited
 * for. An action that fails is left alone: one task that cannot continue must not end a night of others.
 */
async function settle(run: Run, { signal, tell }: DriveOptions, failures: unknown[]): Promise<void> {
  const underWay = new Map<string, UnderWay>();
  const stuck = new Map<string, unknown>();
  const begin = (action: Action) => {
    const key = keyOf(action);
    if (underWay.has(key) || stuck.has(JSON.stringify(action))) return;
    // What the other plan leaves behind must not end up in it.
    if (action.type === "adopt" && [...underWay.values()].some((other) => isObsolete(run.state, other.action))) return;
    const abort = new AbortController();
    const both = AbortSignal.any([signal, abort.signal]);
    underWay.set(key, { action, abort });
    perform(run, action, both)
      .catch((error: unknown) => {
        // An aborted step throws to get out; its phase is unchanged, and it is done again when it is due.
        if (both.aborted) return;
        if (run.isPoisoned()) failures.push(error);
        else stuck.set(JSON.stringify(action), error);
        if (underWay.size > 1) tell?.(error);
      })
      .finally(() => {
        underWay.delete(key);
        run.bell.ring();
      });
  };
  for (;;) {
    const seen = run.bell.count();
    if (failures.length === 0 && !signal.aborted) beginDue(run, begin, failures);
    // Where the journal takes nothing more, all end, uncounted, so that a person hears of it now and not in an hour.
    const isOver = (action: Action) => failures.length > 0 || isObsolete(run.state, action);
    for (const { action, abort } of underWay.values()) if (isOver(action)) abort.abort();
    const isWaiting = failures.length === 0 && !signal.aborted && isIdle(run.state);
    // The person who paused the run may have fixed it.
    if (isWaiting) stuck.clear();
    if (underWay.size === 0 && !isWaiting) break;
    await run.bell.after(seen);
  }
  const [failure] = [...failures, ...(run.state.stopped === null ? stuck.values() : [])];
  if (failure !== undefined && !signal.aborted) throw failure;
}

/** A paused run waits for a person once its sessions have finished. */
function isIdle({ paused, finishing }: RunState): boolean {
  return paused && finishing.size === 0;
}

/** A journal that refuses an event fails the run like a step does: running steps are ended before the failure is thrown. */
function beginDue(run: Run, begin: (action: Action) => void, failures: unknown[]): void {
  try {
    recordConclusions(run).forEach(begin);
  } catch (error) {
    failures.push(error);
  }
}

/** Conclusions need no doing: they are journaled at once, until only actions are left. */
function recordConclusions(run: Run): Action[] {
  for (;;) {
    const actions = decide(run.state);
    const conclusion = actions.find((action) => action.type === "record");
    if (conclusion === undefined) return actions;
    run.append(conclusion.event);
  }
}

function keyOf(action: Action): string {
  if (action.type === "end-replan") return "replan";
  if ("of" in action) return `judge ${action.of ?? ""}`;
  return "task" in action ? `task ${action.task}` : action.type;
}

async function perform(run: Run, action: Action, signal: AbortSignal): Promise<void> {
  switch (action.type) {
    case "baseline":
      return await takeBaseline(run, action.task, signal);
    case "work":
      return await workOnTask(run, action.task, signal);
    case "end-session":
      return await endSession(run, action.task);
    case "collect":
      return await collectWork(run, action.task, signal);
    case "verify":
      return await verifyCandidate(run, action, signal);
    case "judge":
      return await askJudge(run, action, signal);
    case "end-judge":
      return await endJudge(run, action.of);
    case "integrate":
      return await integrateTask(run, action.task, signal);
    case "give":
      return await giveWorkspace(run, action.task, signal);
    case "settle-scope":
      return settleScope(run, action.task);
    case "push":
      return await pushTip(run, signal);
    case "bisect":
      return await findRegressions(run, signal);
    case "publish":
      return await publishTip(run);
    case "final-verify":
      return await verifyFinalTip(run, signal);
    case "replan":
      return await performReplan(run, action, signal);
    case "end-replan":
      return await endReplan(run, action);
    case "adopt":
      return await adoptRevision(run, action, signal);
    case "park":
      return park(run, action);
    case "record":
      throw new Error(`Internal error: expected an action to perform, but was ${action.event.type}`);
    default:
      return unreachable(action);
  }
}

function park(run: Run, { reason, why, until, afterMs }: Extract<Action, { type: "park" }>) {
  run.append({ type: "parked", reason, why, until: afterMs === null ? null : waitEnd(run, until, afterMs) });
}

function waitEnd(run: Run, until: string | null, afterMs: number): string {
  const least = Date.parse(run.ports.clock.now()) + afterMs;
  return new Date(Math.max(least, until === null ? 0 : Date.parse(until))).toISOString();
}
