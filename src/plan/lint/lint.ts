import { lintDepends } from "./depends.ts";
import { lintChecks, lintFiles, lintInputs, lintPlanChecks } from "./files.ts";
import { nearest } from "../nearest.ts";
import { lintPlanPaths, lintTaskPaths } from "./paths.ts";
import { foresee } from "./world.ts";
import { sortProblems, taskProblem } from "../problem.ts";
import { roles, type Plan, type Problem, type Rules, type Task } from "../types.ts";

export interface LintInput {
  readonly plan: Plan;
  readonly rules: Rules;
  /** Every file at HEAD, which is what a run starts from. */
  readonly repoFiles: ReadonlySet<string>;
  /** Files of the checkout that HEAD does not have, so that their absence can be explained; they change no other problem. */
  readonly uncommitted?: ReadonlySet<string>;
}

/** Finds what would make a run fail or wait, before the plan is approved; `advise` finds what could be better. */
export function lintPlan(input: LintInput): Problem[] {
  const { plan, rules } = input;
  const ticked = new Set(plan.taskLines.filter((line) => line.ticked).map((line) => line.id));
  const world = foresee(plan.tasks, input.repoFiles, input.uncommitted ?? new Set());
  return sortProblems([
    ...lintDepends(plan.tasks),
    ...lintPlanPaths(plan, rules),
    ...lintPlanChecks(plan, world),
    ...plan.tasks.flatMap((task) => [
      ...lintTaskPaths(task),
      ...[...lintFiles(task, rules, world), ...lintInputs(task, world), ...lintChecks(task, world)].filter(
        // A ticked task is done: its files exist, or are gone, as they should be.
        (problem) => !ticked.has(task.id) || !(problem.code === "file-exists" || isAboutMissing(problem)),
      ),
      ...lintRole(task),
    ]),
  ]);
}

/** Whether a problem is that something is not at HEAD, which `uncommitted` may explain. */
export function isAboutMissing({ code }: Problem): boolean {
  return aboutMissing.has(code);
}

const aboutMissing: ReadonlySet<string> = new Set(["missing-file", "missing-input", "check-on-nothing"]);

function lintRole(task: Task): Problem[] {
  if (roles.includes(task.role)) return [];
  const near = nearest(task.role, roles);
  const cure = near === undefined ? `Use one of ${roles.join(", ")}.` : `Did you mean ${near}?`;
  return [taskProblem(task, ["role"], "unknown-role", `No role is called ${task.role as string}. ${cure}`)];
}
