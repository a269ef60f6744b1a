import { planLimits } from "../../limits.ts";
import { foresee } from "../world.ts";
import { sortProblems } from "../../problem.ts";
import type { Plan, PlanFiles, Problem, Rules, Task } from "../../types.ts";
import { commandsOf, type SetupLine } from "./commands.ts";
import { adviseEstimate } from "./estimate.ts";
import { adviseLeaning } from "./leaning.ts";
import { adviseMisplaced } from "./misplaced.ts";
import { adviseModels } from "./models.ts";
import { adviseNothingRed } from "./nothing-red.ts";
import { advisePrograms } from "./programs.ts";
import { adviseScripts, type PackageScripts } from "./scripts.ts";
import { adviseSharedFiles } from "./shared-files.ts";
import { adviseSize } from "./size.ts";
import { adviseTestPlan } from "./test-plan.ts";
import { adviseTitle } from "./title.ts";
import { adviseWeakChecks } from "./weak-checks.ts";

/** A readable plan, and what is known about its surroundings. */
export interface AdviceInput {
  readonly plan: Plan;
  readonly rules: Rules;
  /** Every file at HEAD, which is what a run starts from. */
  readonly repoFiles: ReadonlySet<string>;
  /** The documents themselves; without them the prose of plan.md, scope.md and the rules is not read. */
  readonly files?: PlanFiles;
  readonly packageScripts?: PackageScripts;
  /** Whether PATH finds a program; without it, programs are not checked. */
  readonly hasProgram?: (name: string) => boolean;
  readonly setup?: SetupLine | undefined;
}

/** Warns of what could be better in a plan that can be run, and says how to fix it. Ticked tasks are left alone. */
export function advise(input: AdviceInput): Problem[] {
  const { plan, repoFiles, files = new Map() } = input;
  const ticked = new Set(plan.taskLines.filter((line) => line.ticked).map((line) => line.id));
  const open = plan.tasks.filter(({ id }) => !ticked.has(id));
  const ids = new Set(plan.tasks.map(({ id }) => id));
  return capped(
    sortProblems([
      ...open.flatMap((task) => [...adviseTask(task), ...adviseLeaning(task, ids)]),
      ...adviseSharedFiles(open, repoFiles),
      ...adviseModels(plan, open, files),
      ...adviseCommands(input, open),
      ...adviseMisplaced(repoFiles, files.keys()),
    ]),
  );
}

function adviseTask(task: Task): Problem[] {
  const rules = [adviseEstimate, adviseTitle, adviseNothingRed, adviseWeakChecks, adviseTestPlan, adviseSize];
  return rules.flatMap((rule) => rule(task));
}

function adviseCommands(input: AdviceInput, open: readonly Task[]): Problem[] {
  const { plan, repoFiles, packageScripts, hasProgram, setup } = input;
  const commands = commandsOf(input, open);
  return [
    ...(hasProgram === undefined
      ? []
      : advisePrograms({ commands, world: foresee(plan.tasks, repoFiles, new Set()), hasProgram, setup })),
    ...(packageScripts === undefined ? [] : adviseScripts(commands, { packageScripts, tasks: plan.tasks })),
  ];
}

/** The last warning of each kind that is shown says how many more there are. */
function capped(problems: readonly Problem[]): Problem[] {
  const counts = new Map<string, number>();
  for (const { code } of problems) counts.set(code, (counts.get(code) ?? 0) + 1);
  const reported = new Map<string, number>();
  return problems.flatMap((problem) => {
    const { code, message } = problem;
    const rank = (reported.get(code) ?? 0) + 1;
    reported.set(code, rank);
    if (rank > planLimits.warningsOfAKindMax) return [];
    const more = (counts.get(code) ?? 0) - planLimits.warningsOfAKindMax;
    const isLast = rank === planLimits.warningsOfAKindMax && more > 0;
    return [isLast ? { ...problem, message: `${message} (and ${more} more warnings of this kind)` } : problem];
  });
}
