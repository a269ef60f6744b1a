import { meantBy, proposedRules } from "../../plan/plan-folder.ts";
import type { Plan, Problem, RunCheck, Task } from "../../plan/types.ts";
import type { DraftProblem } from "./assessment.ts";
import { callsOf, joined } from "../../base/command-line.ts";
import { foresee } from "../../plan/lint/world.ts";
import { protectedKind } from "../../plan/protected.ts";

/** Turns what lint found in a draft into problems, with the file names that its planner knows. */
export function lintProblems(
  found: readonly Problem[],
  { dir, inputs }: { readonly dir: string; readonly inputs: ReadonlySet<string> },
): DraftProblem[] {
  return found.map((problem) => ({
    severity: severityOf(problem, dir),
    source: "lint",
    file: ownName(problem.file, dir),
    line: problem.line,
    message: problem.message + hint(problem, dir, inputs),
  }));
}

function severityOf(problem: Problem, dir: string): DraftProblem["severity"] {
  if (!isOfDraft(problem, dir)) return "warning";
  return hopeless.has(problem.code) ? "error" : problem.severity;
}

/** These are advice for people, who may have reasons; in a draft no work can turn such a check green. */
const hopeless: ReadonlySet<string> = new Set(["missing-script"]);

/** Names the path of an input in the repository, which differs from the one in the inbox. */
function hint({ code, message }: Problem, dir: string, inputs: ReadonlySet<string>): string {
  if (code !== "missing-input") return "";
  const [, entry = ""] = /^source_docs names (\S+),/.exec(message) ?? [];
  const isInput = [...inputs].some((input) => input === entry || input.startsWith(`${entry.replace(/\/$/, "")}/`));
  return isInput ? ` The input is ${dir}/${entry} in the repository.` : "";
}

/** Turns a path of the repository into its name in the outbox. */
export function ownName(file: string, dir: string): string {
  if (file === `${dir}/${proposedRules}`) return "rules.md";
  return file.startsWith(`${dir}/`) ? file.slice(dir.length + 1) : file;
}

/** Tells whether a problem is in the draft: its planner cannot fix settings and rules of the repository. */
export function isOfDraft({ file }: Pick<Problem, "file">, dir: string): boolean {
  return file.startsWith(`${dir}/`);
}

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
