import { classifyLines, headingOf } from "./markdown.ts";
import { problemAt } from "./problem.ts";
import { decodeText } from "./text.ts";
import type { PlanFiles, Problem } from "./types.ts";

const scopeHeadings = ["Understanding", "Goals", "Gaps"];

/** Says what scope.md lacks; an interview that was never written down cannot be approved. */
export function scopeProblems(files: PlanFiles, path: string): Problem[] {
  const file = files.get(path);
  if (file === undefined) {
    const message = `the plan has no scope.md; write one with the headings ${scopeHeadings.join(", ")}`;
    return [problemAt(path, "scope", message)];
  }
  if ("unreadable" in file) return [];
  const decoded = decodeText(path, file.bytes);
  if ("problem" in decoded) return [decoded.problem];
  const headings = classifyLines(decoded.text).filter(({ kind }) => kind === "heading");
  const found = new Set(headings.map(({ text }) => headingOf(text).title.toLowerCase()));
  const missing = scopeHeadings.filter((heading) => !found.has(heading.toLowerCase()));
  if (missing.length === 0) return [];
  return [
    problemAt(
      path,
      "scope",
      `scope.md lacks ${missing.length > 1 ? "the headings" : "the heading"} ${missing.join(", ")}`,
    ),
  ];
}
