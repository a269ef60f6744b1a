import type { MarkdownDocument } from "./document.ts";
import { problemAt, quoted } from "./problem.ts";
import { findTaskLines } from "./task-lines.ts";
import type { Problem, Task, TaskLine } from "./types.ts";

/** The projection of the tasks in plan.md. */
export interface ReadLines {
  readonly lines: readonly TaskLine[];
  readonly problems: Problem[];
}

export const noLines: ReadLines = { lines: [], problems: [] };

/** Compares the lines of `## Tasks` with the task files: each file has exactly one line. */
export function readTaskLines(document: MarkdownDocument, ids: ReadonlySet<string>): ReadLines {
  const { headings, lines, bad } = findTaskLines(document);
  const { file, bodyLine } = document;
  const place = ({ number, column = 1 }: { number: number; column?: number }) => ({
    line: bodyLine + number - 1,
    column,
  });
  const listed = new Set(bad.flatMap(({ id }) => id ?? []));
  const problems = bad.map((line) => problemAt(file, line.code, line.message, place(line)));
  for (const section of headings.slice(1)) {
    problems.push(problemAt(file, "duplicate-section", 'a second "## Tasks" heading; keep one', place(section)));
  }
  for (const line of lines) {
    if (!ids.has(line.id)) {
      const message = `no task file tasks/${line.id}.md exists for this line`;
      problems.push(problemAt(file, "unknown-task", message, place(line)));
    } else if (listed.has(line.id)) {
      problems.push(problemAt(file, "duplicate-line", `the task ${quoted(line.id)} is listed twice`, place(line)));
    }
    listed.add(line.id);
  }
  const heading = headings[0] ? place(headings[0]) : { line: bodyLine, column: 1 };
  for (const id of [...ids].filter((candidate) => !listed.has(candidate))) {
    const message = `the task ${quoted(id)} has no line under "## Tasks"; add "- [ ] [${id}](tasks/${id}.md) title"`;
    problems.push(problemAt(file, "unlisted-task", message, heading));
  }
  return { lines: lines.map((line) => ({ id: line.id, ticked: line.ticked, at: place(line) })), problems };
}

/** Tasks in the order of their lines; those without a line come last, by name. */
export function inOrder(tasks: readonly Task[], lines: readonly TaskLine[]): Task[] {
  const rank = new Map(lines.toReversed().map(({ id }, i) => [id, lines.length - i]));
  return tasks.toSorted((a, b) => (rank.get(a.id) ?? lines.length + 1) - (rank.get(b.id) ?? lines.length + 1));
}
