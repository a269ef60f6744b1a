/** The library: reading and judging plans, and the pure engine that decides a run. It never prints. */
export { decide, type Action } from "./engine/decide.ts";
export type { RunEvent, RunSettings, TaskSpec } from "./engine/events.ts";
export type { CheckEvidence, GuardEvidence } from "./engine/evidence.ts";
export { evolve, fold } from "./engine/evolve.ts";
export { exitCode, exitCodes } from "./engine/exit-code.ts";
export type { RunState, TaskState } from "./engine/state.ts";
export { summarise, type RunSummary, type TaskSummary } from "./engine/summary.ts";
export { advise, type AdviceInput } from "./plan/advice/advise.ts";
export { approvalHash } from "./plan/hash.ts";
export { lintPlan } from "./plan/lint.ts";
export { parsePlan } from "./plan/parse.ts";
export { readPlanFilesFromDisk } from "./plan/read.ts";
export { tickTask } from "./plan/tick.ts";
export type { Check, Plan, PlanFiles, Problem, Rules, Task } from "./plan/types.ts";
