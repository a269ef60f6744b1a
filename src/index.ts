/**
 * The library: lint a plan, start a run of an approved one, follow a run; and what they are made of, the reading of plans
 * and the pure engine that decides a run. It never prints, handles no signal and ends no process (docs/library.md).
 */
export type { Action } from "./engine/action.ts";
export { decide } from "./engine/decide.ts";
export type { RunEvent, RunSettings, TaskSpec } from "./engine/events.ts";
export type { CheckEvidence, GuardEvidence } from "./engine/evidence.ts";
export { evolve, fold } from "./engine/evolve.ts";
export { exitCode, exitCodes } from "./engine/exit-code.ts";
export type { RunState, TaskState } from "./engine/state.ts";
export { summarise, type RunSummary, type TaskSummary } from "./engine/summary.ts";
export type { RunEntry } from "./hooks/run-entry.ts";
export { lintPlanIn, type LintOptions } from "./api/lint.ts";
export { followRun, readRun, type FollowedRun, type ReadOptions, type RunReading } from "./api/read-run.ts";
export type { Refusal } from "./project/refusals.ts";
export { startRun, type RunEnd, type RunHandle, type StartOptions } from "./api/start-run.ts";
export { advise, type AdviceInput } from "./plan/lint/advice/advise.ts";
export { approvalHash } from "./plan/hash.ts";
export { lintPlan } from "./plan/lint/lint.ts";
export { parsePlan } from "./plan/parse.ts";
export { readPlanFilesFromDisk } from "./plan/read.ts";
export { tickTask } from "./plan/tick.ts";
export type { Check, Plan, PlanFiles, Problem, Rules, Task } from "./plan/types.ts";
export type { Failure, Result } from "./base/result.ts";
