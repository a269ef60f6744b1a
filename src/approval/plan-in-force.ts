import type { RunState } from "../engine/state.ts";
import type { Plan, PlanFiles } from "../plan/types.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { PlansOfRun } from "./approved-settings.ts";

/** The documents that hold now; rules and settings are those of the base in any case. */
export function planInForce(
  { run, base, planHash, replanning: { inForce } }: RunState,
  { started, revised }: PlansOfRun,
): Result<{ readonly plan: Plan; readonly files: PlanFiles }> {
  if (started.plan === undefined || started.hash !== planHash)
    return fail("plan-differs", `the plan at ${base} is not the one run ${run} was started with. Start a new run.`);
  if (inForce === null || revised === undefined) return ok({ plan: started.plan, files: started.files });
  if (revised.plan === undefined || revised.hash !== inForce.planHash) {
    const what = `the plan at ${inForce.commit} is not the revision that run ${run} uses`;
    return fail("plan-differs", `${what}. Start a new run.`);
  }
  return ok({ plan: revised.plan, files: revised.files });
}
