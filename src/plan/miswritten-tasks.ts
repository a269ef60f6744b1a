import { isId } from "./ids.ts";
import { headingOf, type Line } from "./markdown.ts";
import { readTaskHeading } from "./task-lines.ts";

/** A line of a one-file plan that is meant as the heading of a task and is not written like one. */
export interface MiswrittenTask {
  readonly number: number;
  readonly message: string;
}

/**
 * Finds headings with a box that are not of level 2, lack a blank or are indented, and list items with a box and an id
 * that a task's yaml block follows. A checklist without one is an honest part of a task.
 */
export function findMiswrittenTasks(lines: readonly Line[]): MiswrittenTask[] {
  return lines.flatMap((line, index) => {
    const message = headingMessage(line) ?? itemMessage(lines, index);
    return message === undefined ? [] : [{ number: line.number, message }];
  });
}

function headingMessage(line: Line): string | undefined {
  const box = boxInHeading(line);
  if (box === undefined || (line.kind === "heading" && readTaskHeading(line) !== undefined)) return undefined;
  return `a heading with a box is that of a task, and this one is not written as one: write "${headingFor(box)}"; or, for a section, leave the box out`;
}

function itemMessage(lines: readonly Line[], index: number): string | undefined {
  const box = boxInItem(lines[index]!);
  if (box === undefined || !isId(box.id) || !isBeforeTaskYaml(lines, index)) return undefined;
  return `this reads like a task, but is a list item, so it is none: write "${headingFor(box)}"`;
}

/** Whether a yaml block with a task's files or checks comes before the next heading or item with a box. */
function isBeforeTaskYaml(lines: readonly Line[], index: number): boolean {
  let isInYaml = false;
  for (let next = index + 1; next < lines.length; next += 1) {
    const line = lines[next]!;
    if (line.kind === "heading" || boxInHeading(line) !== undefined || boxInItem(line) !== undefined) return false;
    if (isInYaml && /^ *(["']?)(?:files|checks)\1[ \t]*:/.test(line.text)) return true;
    isInYaml ||= /^ *(?:`{3,}|~{3,})[ \t]*ya?ml[ \t]*$/i.test(line.text);
  }
  return false;
}

interface Box {
  readonly isTicked: boolean;
  readonly id: string;
  readonly title: string;
}

function boxInHeading({ kind, text }: Line): Box | undefined {
  const { depth, title } = headingOf(text.replace(/^ {1,3}(?=#)/, ""));
  return kind === "code" || kind === "comment" || depth < 1 || depth > 6 ? undefined : boxIn(title);
}

function boxInItem({ kind, text }: Line): Box | undefined {
  const item = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}(?=\[)/.exec(text);
  return kind !== "prose" || item === null ? undefined : boxIn(text.slice(item[0].length));
}

/** Reads words that begin with a box; a link is none. */
function boxIn(words: string): Box | undefined {
  const [, marker, id = "", title = ""] = /^\[([ xX]?)\](?![([])[ \t]*(\S*)(.*)$/.exec(words) ?? [];
  return marker === undefined ? undefined : { isTicked: /x/i.test(marker), id, title: title.trim() };
}

function headingFor({ isTicked, id, title }: Box): string {
  const words = isId(id) ? `${id} ${title || "Title"}` : "01-name Title";
  return `## [${isTicked ? "x" : " "}] ${words}`;
}
