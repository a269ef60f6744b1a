import type { RunSettings, TaskSpec } from "../engine/events.ts";
import { claimsOfAll } from "../plan/claims.ts";
import type { Plan } from "../plan/types.ts";
import type { PlanReading, ReadingFlags } from "./committed-plan.ts";

/** The settings that decide anything, as the journal keeps them. */
export function settingsOf(
  { config: { run, budget }, rules: { push } }: PlanReading,
  flags: ReadingFlags,
): Omit<RunSettings, "only"> {
  const { parallel, attempts, escalateAfter, reverify, scopeRequests, replan, replanMax } = run;
  const { usd = null, tokens = null, taskUsd = null } = budget;
  const asked = { askedUsd: flags.budgetUsd ?? null, askedParallel: flags.parallel ?? null };
  const caps = { budgetUsd: usd, budgetTokens: tokens, taskUsd };
  return { parallel, attempts, escalateAfter, ...caps, ...asked, reverify, scopeRequests, push, replan, replanMax };
}

/** An option of the command line stays in effect until it is given again. */
export function askedBefore({ askedUsd, askedParallel }: RunSettings): ReadingFlags {
  return {
    ...(askedUsd !== null && { budgetUsd: askedUsd }),
    ...(askedParallel !== null && { parallel: askedParallel }),
  };
}

/** The tasks as the journal keeps them, with what each may touch on the run's base. */
export function specsOf({ tasks }: Plan, tree: readonly string[]): TaskSpec[] {
  const claims = claimsOfAll(tasks, tree);
  return tasks.map(({ id, title, depends, files, complexity, estimateMs, role }, at) => {
    const rest = { complexity, estimateMs: estimateMs ?? null, role, claims: claims[at]! };
    return { id, title, depends, files, ...rest };
  });
}
