import { createHash } from "node:crypto";
import type { Regression } from "../engine/evidence.ts";
import type { Check, FileCheck, Plan, Rules, RunCheck } from "../plan/types.ts";

/** A check the harness can run by itself; a judge's question is not one. */
export type MechanicalCheck = RunCheck | FileCheck;

export function isMechanical(check: Check): check is MechanicalCheck {
  return check.kind !== "judge";
}

/** Returns what makes two checks the same one: everything but where they stand and what they were on the base. */
export function checkKey(check: Check): string {
  const text = JSON.stringify({ ...check, red: undefined, at: undefined });
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Keeps each check once, where it stands first. */
export function distinct(checks: readonly MechanicalCheck[]): MechanicalCheck[] {
  const byKey = new Map<string, MechanicalCheck>();
  for (const check of checks) if (!byKey.has(checkKey(check))) byKey.set(checkKey(check), check);
  return [...byKey.values()];
}

/** Returns every check of the plan, the rules and the tasks, each once. */
export function finalChecks(plan: Plan, rules: Rules): MechanicalCheck[] {
  const all = [...plan.tasks.flatMap((task) => task.checks), ...rules.checks, ...plan.checks];
  return distinct(all.filter(isMechanical));
}

/** Finds the checks that a reopened task has to make green again; they count as its own. */
export function checksToFix(plan: Plan, rules: Rules, regressions: readonly Regression[]): MechanicalCheck[] {
  const keys = new Set(regressions.map(({ key }) => key));
  const found = keys.size === 0 ? [] : finalChecks(plan, rules).filter((check) => keys.has(checkKey(check)));
  return found.map((check) => ({ ...check, red: true }));
}
