import { listPlans } from "../plan/read.ts";
import { fail, ok, type Failure, type Result } from "../base/result.ts";

/** The named plan of a work tree, or the only one; otherwise the list to choose from. */
export function selectPlan(root: string, name: string | undefined): Result<string, Failure<"no-plan">> {
  const plans = listPlans(root);
  if (name !== undefined) {
    if (plans.includes(name)) return ok(name);
    const known = plans.length === 0 ? "plans/ has none." : `There are: ${plans.join(", ")}`;
    return fail("no-plan", `no plan ${name}. ${known}`);
  }
  const [only, ...others] = plans;
  if (only === undefined)
    return fail(
      "no-plan",
      'no plan: draft one with stint plan "<goal>", or write plans/<name>/plan.md; `stint init` points to a worked example',
    );
  return others.length === 0 ? ok(only) : fail("no-plan", `which plan? Name one of: ${plans.join(", ")}`);
}
