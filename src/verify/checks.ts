import type { Check, FileCheck, Plan, Rules, RunCheck } from "../plan/types.ts";

/** A check the harness can run by itself; a judge's question is not one. */
export type MechanicalCheck = RunCheck | FileCheck;

export function isMechanical(check: Check): check is MechanicalCheck {
  return check.kind !== "judge";
}

/** Every check of the plan, the rules and the tasks, each once. */
export function finalChecks(plan: Plan, rules: Rules): MechanicalCheck[] {
  const all = [...plan.tasks.flatMap((task) => task.checks), ...rules.checks, ...plan.checks].filter(isMechanical);
  const distinct = new Map(all.map((check) => [JSON.stringify({ ...check, red: undefined, at: undefined }), check]));
  return [...distinct.values()];
}
