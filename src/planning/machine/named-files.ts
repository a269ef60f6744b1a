import { callsOf, joined } from "../../base/command-line.ts";
import { foresee } from "../../plan/lint/world.ts";
import { meantBy } from "../../plan/plan-folder.ts";
import { protectedKind } from "../../plan/protected.ts";
import type { Plan, RunCheck, Task } from "../../plan/types.ts";
import type { DraftProblem } from "./assessment.ts";
import { ownName } from "./lint-problems.ts";

/** Finds test files that checks run and no task makes: such a check is red before the work and after it. */
export function unmadeTests(plan: Plan, repoFiles: ReadonlySet<string>): DraftProblem[] {
  const world = foresee(plan.tasks, repoFiles, new Set());
  const isKnownFolder = (path: string): boolean => world.mayExistAfter(undefined, path.split("/")[0] ?? "");
  return plan.tasks.filter(world.isOrdered).flatMap((task) =>
    task.checks
      .filter((check) => check.kind === "run")
      .flatMap((check) => testsNamed(check).map((path) => ({ check, path })))
      .filter(({ path }) => !world.mayExistAfter(task, path))
      // The output of a build is in no list of files, and has a folder of its own.
      .map(({ check, path }) => unmade(task, { check, path, dir: plan.dir, isSure: isKnownFolder(path) })),
  );
}

function testsNamed({ run, cwd }: RunCheck): string[] {
  const named = callsOf(run, cwd).flatMap(({ words, dir }) =>
    words
      .slice(1)
      .filter((word) => plainFile.test(word))
      .map((word) => joined(dir, word)),
  );
  return [...new Set(named)].filter((path) => !path.startsWith("..") && protectedKind(path, []) === "test");
}

const plainFile = /^[\w@+][\w@.+/-]*\.[a-z]{1,4}$|^\.\/[\w@.+/-]+\.[a-z]{1,4}$/;

function unmade(
  task: Task,
  {
    check,
    path,
    dir,
    isSure,
  }: { readonly check: RunCheck; readonly path: string; readonly dir: string; readonly isSure: boolean },
): DraftProblem {
  const message = `impossible check: \`${check.run}\` runs ${path}, which neither exists on the base nor is in files of this task or one it depends on. Correct the path, or add it to files.`;
  return {
    severity: isSure ? "error" : "warning",
    source: "lint",
    file: ownName(task.file, dir),
    line: check.at.line,
    message,
  };
}

/** Finds inputs that no task names: the person who gave them wants an agent to get them. */
export function unnamedInputs(plan: Plan, inputs: Iterable<string>): DraftProblem[] {
  const isMeant = meantBy(plan.tasks.flatMap(({ sourceDocs }) => sourceDocs));
  return [...inputs]
    .filter((input) => !isMeant(`${plan.dir}/${input}`))
    .map((input) => ({
      severity: "error",
      source: "inputs",
      file: input,
      line: 1,
      message: `no task names this input. Write ${plan.dir}/${input} under source_docs of the task it is for, and the facts that task needs into its text.`,
    }));
}
