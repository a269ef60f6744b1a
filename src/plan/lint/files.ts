import { fileEntries, type FileEntry } from "./paths.ts";
import type { World } from "./world.ts";
import { expandBraces, isGlob, pathProblem } from "../paths.ts";
import { problemAt, taskProblem } from "../problem.ts";
import { isForbidden, isStintOwn } from "../protected.ts";
import type { Check, Plan, Problem, Rules, Task } from "../types.ts";

/** Finds entries of `files` that cannot be acted on: forbidden ones, missing ones, and new ones that exist. */
export function lintFiles(task: Task, rules: Rules, world: World): Problem[] {
  return fileEntries(task)
    .filter(({ path }) => pathProblem(path) === undefined)
    .flatMap(
      (entry) => lintForbidden(task, entry, rules) ?? (world.isOrdered(task) ? lintEntry(task, entry, world) : []),
    );
}

/** Finds source documents that will not exist, because an agent that is sent to read them would improvise. */
export function lintInputs(task: Task, world: World): Problem[] {
  if (!world.isOrdered(task)) return [];
  return task.sourceDocs.flatMap((entry, index) => {
    const path = entry.replace(/\/$/, "");
    if (pathProblem(path) !== undefined) return [];
    if (isGlob(path) ? world.globFinds(task, path) : world.mayExistBefore(task, path)) return [];
    const why = world.isUncommitted(path)
      ? uncommitted
      : "which neither exists at HEAD nor is created by a dependency. Correct the path, or remove the entry.";
    return [taskProblem(task, ["source_docs", index], "missing-input", `source_docs names ${entry}, ${why}`)];
  });
}

/** Finds checks on files that nothing can create, so that no attempt could ever pass. */
export function lintChecks(task: Task, world: World): Problem[] {
  if (!world.isOrdered(task)) return [];
  const why =
    "which neither exists at HEAD nor is in the files of this task or a dependency. Correct the path, or add it to files.";
  return checksOnNothing(task, { world, when: task, why });
}

/** Finds such checks of the plan, which run on the final tip, where every task has done its part. */
export function lintPlanChecks({ dir, checks }: Plan, world: World): Problem[] {
  const why =
    "which neither exists at HEAD nor is in the files of any task. Correct the path, or add it to the files of a task.";
  return checksOnNothing({ file: `${dir}/plan.md`, checks }, { world, when: undefined, why });
}

/** A glob is treated like a path: a wide glob may happen to cover a key, but `keys/*.pem` asks for one. */
function lintForbidden(task: Task, entry: FileEntry, rules: Rules): Problem[] | undefined {
  for (const path of expandBraces(entry.path) ?? [entry.path]) {
    const isPlan = isStintOwn(path);
    if (!isPlan && !isForbidden(path, rules.forbid)) continue;
    const why = isPlan
      ? "but no task may change plans/ and .stint/. Remove the entry."
      : "which no task may change. Remove the entry; only a person may change such a file.";
    return [problem(task, entry, "forbidden-path", why)];
  }
  return undefined;
}

function lintEntry(task: Task, entry: FileEntry, world: World): Problem[] {
  if (entry.list === "touch") return [];
  if (entry.list === "create") return isGlob(entry.path) ? [] : lintCreate(task, entry, world);
  return isGlob(entry.path) ? lintGlob(task, entry, world) : lintLiteral(task, entry, world);
}

function lintCreate(task: Task, entry: FileEntry, world: World): Problem[] {
  const { exists, by } = world.fate(task, entry.path);
  if (exists !== "yes" || (by === undefined && !world.existsAtHead(entry.path))) return [];
  const why = by === undefined ? "which already exists at HEAD" : `which dependency ${by} already creates`;
  return [problem(task, entry, "file-exists", `${why}. Put it under modify.`)];
}

function lintGlob(task: Task, entry: FileEntry, world: World): Problem[] {
  if (world.globFinds(task, entry.path)) return [];
  const why = world.isUncommitted(entry.path)
    ? "which matches only files that are not committed; a run starts from HEAD. Commit them first."
    : "which matches no file at HEAD and none a dependency creates. Correct it, or depend on the task that creates them.";
  return [problem(task, entry, "missing-file", why)];
}

function lintLiteral(task: Task, entry: FileEntry, world: World): Problem[] {
  const { exists, by } = world.fate(task, entry.path);
  if (exists !== "no") return [];
  return [problem(task, entry, "missing-file", whyMissing(task, entry, { world, by }))];
}

function whyMissing(task: Task, entry: FileEntry, known: { world: World; by: string | undefined }): string {
  const { world, by } = known;
  const instead = entry.list === "delete" ? "remove the entry" : "put it under create";
  if (by !== undefined) return `which dependency ${by} deletes. ${capitalized(instead)}.`;
  if (world.isUncommitted(entry.path)) return uncommitted;
  const creator = world.creatorOf(entry.path, task);
  if (creator !== undefined && creator !== task.id) {
    return `which does not exist at HEAD; task ${creator} makes it. Add ${creator} to depends.`;
  }
  return `which neither exists at HEAD nor is created by a dependency. Correct the path, or ${instead}.`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function problem(task: Task, entry: FileEntry, code: string, why: string): Problem {
  return taskProblem(task, entry.key, code, `${entry.label} names ${entry.path}, ${why}`);
}

function checksOnNothing(
  { file, checks }: { readonly file: string; readonly checks: readonly Check[] },
  { world, when, why }: { readonly world: World; readonly when: Task | undefined; readonly why: string },
): Problem[] {
  return checks.flatMap((check) => {
    if (check.kind !== "exists" && check.kind !== "contains") return [];
    const path = check.path.replace(/\/$/, "");
    if (isGlob(path) || pathProblem(path) !== undefined || world.mayExistAfter(when, path)) return [];
    const message = `The ${check.kind} check looks at ${path}, ${world.isUncommitted(path) ? uncommitted : why}`;
    return [problemAt(file, "check-on-nothing", message, check.at)];
  });
}

const uncommitted = "which is not committed; a run starts from HEAD. Commit it first.";
