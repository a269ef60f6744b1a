import { placeChecks } from "./checks.ts";
import { parseDocument } from "./document.ts";
import { proposedRules } from "./plan-folder.ts";
import { problemAt, sortProblems } from "./problem.ts";
import { rulesSchema } from "./schema.ts";
import type { PlanFiles, Problem, Rules } from "./types.ts";
import { validate } from "./validate.ts";

export const rulesFile = ".stint/rules.md";

/** The rules of a project without rules.md; the built-in protections apply as well. */
export const defaultRules: Rules = {
  protect: [],
  forbid: [],
  checks: [],
  branch: "stint/{plan}",
  push: "never",
  remote: "origin",
  maxChangedLines: 2_000,
  prose: "",
};

/** Reads the text of rules.md; empty where there is none. */
export function rulesText(files: PlanFiles): string {
  const rules = files.get(rulesFile);
  return rules !== undefined && "bytes" in rules ? Buffer.from(rules.bytes).toString("utf8") : "";
}

/** Reads the guardrails; if they are wrong, it returns the defaults and the problems. */
export function parseRules(files: PlanFiles): { readonly rules: Rules; readonly problems: Problem[] } {
  const found = files.get(rulesFile);
  if (found === undefined) return { rules: defaultRules, problems: [] };
  const refuse = (problems: readonly Problem[]) => ({ rules: defaultRules, problems: sortProblems(problems) });
  if ("unreadable" in found) return refuse([problemAt(rulesFile, "unreadable", found.unreadable)]);
  const document = parseDocument(rulesFile, found.bytes);
  if ("problems" in document) return refuse(document.problems);
  const checked = validate(rulesSchema, document);
  if ("problems" in checked) return refuse(checked.problems);
  const { max_changed_lines: maxChangedLines, checks, ...rest } = checked.value;
  const rules = { ...rest, maxChangedLines, checks: placeChecks(checks, document.at), prose: document.body.trim() };
  return { rules, problems: [] };
}

/** Checks proposed rules as if they were in effect; until they are, their problems are only warnings. */
export function proposedRulesProblems(files: PlanFiles, dir: string): Problem[] {
  const file = `${dir}/${proposedRules}`;
  const proposed = files.get(file);
  if (proposed === undefined || "unreadable" in proposed) return [];
  const { problems } = parseRules(new Map([[rulesFile, proposed]]));
  return problems.map((problem) => ({ ...problem, file, severity: "warning" }));
}
