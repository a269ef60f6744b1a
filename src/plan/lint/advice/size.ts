import { fileEntries } from "../paths.ts";
import { expandBraces } from "../../paths.ts";
import { taskWarning, warningAt } from "../../problem.ts";
import type { Problem, Task } from "../../types.ts";
import { planLimits } from "../../limits.ts";

/** An agent does half of what it cannot keep in mind at once. */
export function adviseSize(task: Task): Problem[] {
  return [...longFile(task), ...manyFiles(task)];
}

function longFile({ file, text, line }: Task): Problem[] {
  const lines = text.trimEnd().split("\n").length;
  if (lines <= planLimits.taskLinesGood) return [];
  const message = `The task has ${lines} lines; an agent reads up to ${planLimits.taskLinesGood} with care. Split the task, or move what it quotes into source_docs.`;
  return [warningAt(file, { line: line(planLimits.taskLinesGood + 1), column: 1 }, { code: "long-task", message })];
}

function manyFiles(task: Task): Problem[] {
  const named = fileEntries(task).flatMap(({ path }) => expandBraces(path) ?? [path]);
  if (named.length <= planLimits.taskFilesGood) return [];
  const message = `The task names ${named.length} files; more than ${planLimits.taskFilesGood} usually mean several tasks. Split it, or name a folder if one change affects all of it.`;
  return [taskWarning(task, ["files"], { code: "many-files", message })];
}
