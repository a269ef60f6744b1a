import { proposedRules } from "../../plan/plan-folder.ts";
import type { Problem } from "../../plan/types.ts";
import type { DraftProblem } from "./assessment.ts";

/** What lint says of a draft, with files as its planner knows them. */
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

/** A path of the repository as it is called in the outbox. */
export function ownName(file: string, dir: string): string {
  if (file === `${dir}/${proposedRules}`) return "rules.md";
  return file.startsWith(`${dir}/`) ? file.slice(dir.length + 1) : file;
}

/** Whether a problem lies in the draft: settings and rules of the repository are not its planner's to mend. */
export function isOfDraft({ file }: Pick<Problem, "file">, dir: string): boolean {
  return file.startsWith(`${dir}/`);
}

function severityOf(problem: Problem, dir: string): DraftProblem["severity"] {
  if (!isOfDraft(problem, dir)) return "warning";
  return hopeless.has(problem.code) ? "error" : problem.severity;
}

/** Advice for people, who may have reasons; in a draft it is a check that no work can turn green. */
const hopeless: ReadonlySet<string> = new Set(["missing-script"]);

/** In the inbox an input is called otherwise than in the repository. */
function hint({ code, message }: Problem, dir: string, inputs: ReadonlySet<string>): string {
  if (code !== "missing-input") return "";
  const [, entry = ""] = /^source_docs names (\S+),/.exec(message) ?? [];
  const isInput = [...inputs].some((input) => input === entry || input.startsWith(`${entry.replace(/\/$/, "")}/`));
  return isInput ? ` The input is ${dir}/${entry} in the repository.` : "";
}
