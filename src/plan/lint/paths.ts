import { pathProblem } from "../paths.ts";
import { problemAt } from "../problem.ts";
import type { Check, Plan, Problem, Rules, Task, TaskFiles } from "../types.ts";

/** One entry of `files`, with the key it has in front matter; `touch` is the short form, which has no name of its own. */
export interface FileEntry {
  readonly list: keyof TaskFiles;
  readonly path: string;
  readonly key: readonly (string | number)[];
  readonly label: string;
}

const rulesFile = ".stint/rules.md";
const lists = ["create", "modify", "delete", "touch"] as const;

export function fileEntries(task: Task): FileEntry[] {
  return lists.flatMap((list) =>
    task.files[list].map((path, index) => ({
      list,
      path,
      key: list === "touch" ? ["files", index] : ["files", list, index],
      label: list === "touch" ? "files" : `files.${list}`,
    })),
  );
}

/** Finds paths of a task that are not inside the repo, or that git or a matcher would misread. */
export function lintTaskPaths(task: Task): Problem[] {
  const files = fileEntries(task).map(({ path, key, label }) => ({
    label,
    at: task.at(key),
    problem: problemIn(path),
  }));
  const docs = task.sourceDocs.map((path, index) => ({
    label: "source_docs",
    at: task.at(["source_docs", index]),
    problem: problemIn(withoutSlash(path)),
  }));
  const found = [...files, ...docs].flatMap(({ label, at, problem }) =>
    problem === undefined ? [] : [problemAt(task.file, "bad-path", `${label}: ${problem}`, at)],
  );
  return [...found, ...lintCheckPaths(task.checks, task.file)];
}

/** Finds such paths in the checks of the plan and in the rules. */
export function lintPlanPaths(plan: Plan, rules: Rules): Problem[] {
  const globs = (["protect", "forbid"] as const).flatMap((list) =>
    rules[list].flatMap((glob) => {
      const problem = problemIn(glob);
      return problem === undefined ? [] : [problemAt(rulesFile, "bad-path", `${list}: ${problem}`)];
    }),
  );
  return [...globs, ...lintCheckPaths(rules.checks, rulesFile), ...lintCheckPaths(plan.checks, `${plan.dir}/plan.md`)];
}

function lintCheckPaths(checks: readonly Check[], file: string): Problem[] {
  return checks.flatMap((check) => {
    const path = pathOf(check);
    const problem = path === undefined ? undefined : problemIn(withoutSlash(path));
    const label = check.kind === "run" ? "cwd" : check.kind;
    return problem === undefined ? [] : [problemAt(file, "bad-path", `${label}: ${problem}`, check.at)];
  });
}

function pathOf(check: Check): string | undefined {
  if (check.kind === "judge") return undefined;
  if (check.kind !== "run") return check.path;
  const inside = check.cwd.replace(/^\.\//, "");
  return inside === "" || inside === "." ? undefined : inside;
}

function problemIn(path: string): string | undefined {
  const problem = pathProblem(path);
  return problem === undefined ? undefined : `"${path}" ${problem}.`;
}

/** A folder may be written with its slash, except in `files`, where a folder is never meant. */
function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
