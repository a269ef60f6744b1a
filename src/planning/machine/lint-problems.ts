import { proposedRules } from "../../plan/plan-folder.ts";
import type { Problem } from "../../plan/types.ts";
import type { DraftProblem } from "./assessment.ts";

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

/** Turns a path of the repository into its name in the outbox. */
export function ownName(file: string, dir: string): string {
  if (file === `${dir}/${proposedRules}`) return "rules.md";
  return file.startsWith(`${dir}/`) ? file.slice(dir.length + 1) : file;
}

/** Whether a problem is in the draft: its planner cannot fix settings and rules of the repository. */
export function isOfDraft({ file }: Pick<Problem, "file">, dir: string): boolean {
  return file.startsWith(`${dir}/`);
}

function severityOf(problem: Problem, dir: string): DraftProblem["severity"] {
  if (!isOfDraft(problem, dir)) return "warning";
  return hopeless.has(problem.code) ? "error" : problem.severity;
}

/** Codes that are advice for people, who may have reasons; in a draft no work can turn such a check green. */
const hopeless: ReadonlySet<string> = new Set(["missing-script"]);

/** Names the path of an input in the repository, which differs from the one in the inbox. */
function hint({ code, message }: Problem, dir: string, inputs: ReadonlySet<string>): string {
  if (code !== "missing-input") return "";
  const [, entry = ""] = /^source_docs names (\S+),/.exec(message) ?? [];
  const isInput = [...inputs].some((input) => input === entry || input.startsWith(`${entry.replace(/\/$/, "")}/`));
  return isInput ? ` The input is ${dir}/${entry} in the repository.` : "";
}
