import type { FrontMatterSplit } from "./document.ts";
import { classifyLines, sectionsOf, type Line, type Section } from "./markdown.ts";
import { quoted } from "./problem.ts";

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
