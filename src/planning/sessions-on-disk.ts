import { readdirSync, existsSync } from "node:fs";
import { join } from "node:path";
import { realFiles } from "../journal/file-port.ts";
import { readFrom } from "../journal/follow.ts";
import { acquireLock, lockHolder, type Lock, type LockFailure } from "../journal/lock.ts";
import { journalStart } from "../journal/scan.ts";
import { foldPlanning } from "./machine/evolve.ts";
import { type PlanningState, openQuestions } from "./machine/state.ts";
import type { PlanningEvent } from "./machine/events.ts";
import { ok, type Result } from "../base/result.ts";
import { planningPaths, type Paths } from "../project/paths.ts";
import { planOfRun } from "../engine/run-name.ts";
import { nextStep } from "./machine/next-step.ts";

/** A planning session as its journal records it; the state is undefined where it died before its first event. */
interface ReadPlanningSession {
  readonly id: string;
  readonly state: PlanningState | undefined;
}

/** A planning session that is not over. */
export interface UnfinishedPlanningSession {
  readonly plan: string;
  /** Whether it revises an existing plan. */
  readonly revises: boolean;
  readonly waits: "process" | "answers" | "judgement" | "continue";
  /** How many answers it waits for. */
  readonly open: number;
}

/** Lists the ids of planning sessions, oldest first; they look like those of runs. */
export function listPlanningSessions(paths: Paths, plan?: string): string[] {
  const names = readdirSync(paths.planningSessions).filter((name) => planOfRun(name) !== undefined);
  return names.filter((name) => plan === undefined || planOfRun(name) === plan).toSorted();
}

/** Reads a planning session without opening it. */
export function readPlanningSession(paths: Paths, id: string): Result<ReadPlanningSession> {
  const read = readFrom(realFiles, planningPaths(paths, id).journal, journalStart);
  if (!read.ok) return read.failure.reason === "missing" ? ok({ id, state: undefined }) : read;
  return ok({ id, state: foldPlanning(read.value.entries as readonly unknown[] as readonly PlanningEvent[]) });
}

/** Lets one process drive a planning session; the kernel frees the lock when that process dies. */
export function lockPlanningSession(paths: Paths, id: string, purpose: string): Result<Lock, LockFailure> {
  return acquireLock(lockFile(paths, id), { purpose });
}

/** Tells people whether a process drives a planning session; only the lock itself decides. */
export function isPlanningDriven(paths: Paths, id: string): boolean {
  return lockHolder(lockFile(paths, id)) !== undefined;
}

function lockFile(paths: Paths, id: string): string {
  return join(paths.locks, `${id}.planning.lock`);
}

/** Lists the planning sessions that are not over, oldest first, without opening them. */
export function unfinishedPlanningSessions(paths: Paths): readonly UnfinishedPlanningSession[] {
  if (!existsSync(paths.planningSessions)) return [];
  return listPlanningSessions(paths).flatMap((id) => {
    const read = readPlanningSession(paths, id);
    const state = read.ok ? read.value.state : undefined;
    return state === undefined || state.over !== null ? [] : [describe(paths, id, state)];
  });
}

function describe(paths: Paths, id: string, state: PlanningState): UnfinishedPlanningSession {
  const isDriven = isPlanningDriven(paths, id);
  const open = openQuestions(state).length;
  const step = nextStep(state).type;
  const waits = isDriven ? "process" : step === "ask" ? "answers" : step === "review" ? "judgement" : "continue";
  return { plan: state.plan, revises: state.revises !== null, waits, open };
}
