import type { MarkdownDocument } from "./document.ts";
import type { FrontMatterSplit } from "./front-matter.ts";
import { foldId, isId } from "./ids.ts";
import { classifyLines, headingOf, sectionsOf, type Line, type Section } from "./markdown.ts";
import { isOneFile } from "./plan-folder.ts";
import { problemAt, quoted } from "./problem.ts";
import type { Problem, TaskLine } from "./types.ts";

/** A line of `## Tasks`; positions are relative to the body. */
export interface FoundTaskLine {
  /** The word in the second brackets, which the path repeats. */
  readonly id: string;
  readonly ticked: boolean;
  /** Index in the body of the character between the first brackets. */
  readonly boxIndex: number;
  readonly number: number;
  readonly column: number;
}

/** A line of `## Tasks` that is a list item but not a task line. */
export interface BadTaskLine {
  readonly code: "unknown-marker" | "unknown-task";
  /** Present if the task is clear and only its box is not. */
  readonly id?: string;
  readonly message: string;
  readonly number: number;
  readonly column: number;
}

export interface TaskSection {
  /** Every `## Tasks` section; only one makes sense. */
  readonly headings: readonly Section[];
  readonly lines: readonly FoundTaskLine[];
  readonly bad: readonly BadTaskLine[];
}

/** The one place that says what a task line is, shared by reading, ticking and hashing so that they cannot disagree. */
export function findTaskLines({ body }: Pick<FrontMatterSplit, "body">): TaskSection {
  const headings = sectionsOf(classifyLines(body)).filter(({ heading }) => heading === "Tasks");
  const lines: FoundTaskLine[] = [];
  const bad: BadTaskLine[] = [];
  for (const line of headings.flatMap((section) => section.lines)) {
    const read = line.kind === "prose" ? readLine(line) : undefined;
    if (read === undefined) continue;
    if ("code" in read) bad.push(read);
    else lines.push(read);
  }
  return { headings, lines, bad };
}

/** A task of a one-file plan: a heading such as `## [ ] 01-deps Add dependencies`. */
export interface TaskHeading extends FoundTaskLine {
  /** What is between the first brackets: a blank or an `x` where the heading is sound. */
  readonly marker: string;
  readonly title: string;
}

/** Reads a heading of level 2 that begins with a box; a link is none. The id may be anything. */
export function readTaskHeading(line: Pick<Line, "text" | "index" | "number">): TaskHeading | undefined {
  const { depth, title: words } = headingOf(line.text);
  const [, marker, id = "", title = ""] = /^\[(.?)\](?!\()[ \t]*(\S*)[ \t]*(.*)$/u.exec(words) ?? [];
  if (depth !== 2 || marker === undefined) return undefined;
  const box = { number: line.number, column: 1, boxIndex: line.index + line.text.indexOf("[") + 1 };
  return { id, title, marker, ticked: marker === "x", ...box };
}

/** Finds every box of a plan's document that Stint may tick, in the form that its path says. */
export function findBoxes({ body }: Pick<FrontMatterSplit, "body">, path: string): readonly FoundTaskLine[] {
  if (!isOneFile(path)) return findTaskLines({ body }).lines;
  const headings = classifyLines(body).filter(({ kind }) => kind === "heading");
  return headings.flatMap((line) => readTaskHeading(line) ?? []).filter(({ marker }) => /^[ x]$/.test(marker));
}

/** The lines of plan.md that name tasks, and what is wrong with them. */
export interface ReadLines {
  readonly lines: readonly TaskLine[];
  readonly problems: Problem[];
}

export const noLines: ReadLines = { lines: [], problems: [] };

/** Compares the lines of `## Tasks` with the task files: each file has exactly one line, once its name can be that of a task. */
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
  const misnamed = new Set([...ids].filter((id) => !isId(id)).map(foldId));
  for (const line of lines) {
    if (!ids.has(line.id) && misnamed.has(foldId(line.id))) continue;
    if (!ids.has(line.id)) {
      const message = `no task file tasks/${line.id}.md exists for this line`;
      problems.push(problemAt(file, "unknown-task", message, place(line)));
    } else if (listed.has(line.id)) {
      problems.push(problemAt(file, "duplicate-line", `the task ${quoted(line.id)} is listed twice`, place(line)));
    }
    listed.add(line.id);
  }
  const heading = headings[0] ? place(headings[0]) : { line: bodyLine, column: 1 };
  for (const id of [...ids].filter((candidate) => isId(candidate) && !listed.has(candidate))) {
    const message = `the task ${quoted(id)} has no line under "## Tasks"; add "- [ ] [${id}](tasks/${id}.md) title"`;
    problems.push(problemAt(file, "unlisted-task", message, heading));
  }
  return { lines: lines.map((line) => ({ id: line.id, ticked: line.ticked, at: place(line) })), problems };
}

const shape = 'a line of "## Tasks" names its task file: "- [ ] [id](tasks/id.md) title"';

function readLine(line: Line): FoundTaskLine | BadTaskLine | undefined {
  const item = /^( {0,3})(?:[-*+]|\d{1,9}[.)])(?: {1,4}|\t)(?=\[)/.exec(line.text);
  if (item === null) {
    const isOtherItem = /^(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/.test(line.text);
    return isOtherItem ? { code: "unknown-task", message: shape, number: line.number, column: 1 } : undefined;
  }
  const start = item[0].length;
  const place = { number: line.number, column: (item[1] ?? "").length + 1 };
  const [, marker, id, path] = /^\[([^\]]*)\][ \t]+\[([^\]]*)\]\(([^)]*)\)/.exec(line.text.slice(start)) ?? [];
  if (marker === undefined || id === undefined || `tasks/${id}.md` !== path?.trim().replace(/^\.\//, "")) {
    return { code: "unknown-task", message: shape, ...place };
  }
  if (marker !== " " && marker !== "x") {
    const message = `unknown marker ${quoted(`[${marker}]`)}; write "[ ]" or "[x]"`;
    return { code: "unknown-marker", message, id, ...place };
  }
  return { id, ticked: marker === "x", boxIndex: line.index + start + 1, ...place };
}
