import { existsSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "../base/result.ts";
import { slugOf } from "../plan/ids.ts";
import { planPaths } from "../plan/plan-folder.ts";
import { isQuickPlan, whyNotPlanName } from "../plan/quick-plan.ts";
import type { Project } from "../project/project.ts";
import { listPlanningSessions, readPlanningSession } from "./sessions-on-disk.ts";

/** Returns the name of a new plan: the given one if it is free, else one made from the words of the goal. */
export function choosePlanName(
  project: Project,
  { goal, name }: { readonly goal: string; readonly name?: string | undefined },
): Result<string> {
  const { root } = project.repo;
  const unfinished = new Set(unfinishedNames(project));
  const placeOf = (plan: string) => planPaths(plan).find((path) => existsSync(join(root, path)));
  const isTaken = (plan: string) => placeOf(plan) !== undefined || unfinished.has(plan);
  if (name === undefined) return ok(freeName(slugOf(goal) || "plan", isTaken));
  const unfit = whyNotPlanName(name);
  if (unfit !== undefined) return fail("name", `--name ${unfit}`);
  const place = placeOf(name);
  if (place !== undefined)
    return fail("name", `${place} exists. Choose another --name, or revise it: \`stint plan --revise "…" ${name}\``);
  if (unfinished.has(name))
    return fail(
      "name",
      `planning of ${name} is unfinished. Resume it: \`stint plan --continue ${name}\`, or choose another --name`,
    );
  return ok(name);
}

function freeName(slug: string, isTaken: (plan: string) => boolean): string {
  let name = slug;
  for (let again = 2; isTaken(name) || isQuickPlan(name); again++) name = `${slug}-${again}`;
  return name;
}

function unfinishedNames({ paths }: Project): string[] {
  return listPlanningSessions(paths).flatMap((id) => {
    const read = readPlanningSession(paths, id);
    return read.ok && read.value.state?.over === null ? [read.value.state.plan] : [];
  });
}
