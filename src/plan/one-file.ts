import { parseDocument } from "./document.ts";
import { foldId, idRule, isId } from "./ids.ts";
import { findMiswrittenTasks } from "./miswritten-tasks.ts";
import { classifyLines, headingOf, type Line } from "./markdown.ts";
import { oneFileOf, readableIn } from "./plan-folder.ts";
import { problemAt, quoted, sortProblems, warningAt } from "./problem.ts";
import { yamlText } from "./quick-plan.ts";
import { readTaskHeading, type TaskHeading } from "./task-lines.ts";
import type { PlanFiles, Problem } from "./types.ts";

/** A document of a plan's folder, as a plan of one file has it. */
export interface Piece {
  readonly text: string;
  /** For each line of `text`, the line of the one file that it comes from. */
  readonly lines: readonly number[];
}

/** A plan of one file, taken apart. */
export interface Expanded {
  /** By name inside the folder that would say the same: `plan.md`, `scope.md`, `tasks/<id>.md`. */
  readonly pieces: ReadonlyMap<string, Piece>;
  readonly warnings: readonly Problem[];
}

/**
 * Takes a plan of one file apart into the documents of a plan's folder: what is above the first task becomes plan.md,
 * `## Scope` scope.md, and each `## [ ] id Title` a task file, with its yaml block as front matter and its headings one
 * level up. Where the parts cannot be told from each other, it says what is in the way and reads no further.
 */
export function expandPlan(file: string, bytes: Uint8Array): Expanded | { readonly problems: Problem[] } {
  const document = parseDocument(file, bytes);
  if ("problems" in document) return document;
  const { text, body, bodyLine } = document;
  // A blank line at the end is part of a block that is not closed, and of nothing else.
  const whole = `${body}\n`;
  const raw = whole.split("\n");
  const lines = classifyLines(whole).map((line) => ({ ...line, raw: raw[line.number - 1] ?? "" }));
  const source: SourceText = {
    file,
    head: text.slice(0, text.length - body.length),
    lines,
    bodyLine,
    endsIn: lines.at(-1)?.opened,
  };
  const open = unclosedBlock(source);
  if (open !== undefined) return { problems: [open] };
  return assemble(source, partsOf(source));
}

/** The documents of a plan by name inside its folder, whichever form it has; what cannot be read is left out. */
export function planDocuments(files: PlanFiles, name: string): Map<string, Uint8Array> {
  const path = oneFileOf(name);
  const file = files.get(path);
  if (file === undefined || "unreadable" in file) return readableIn(files, `plans/${name}`);
  const expanded = expandPlan(path, file.bytes);
  return "problems" in expanded ? new Map() : bytesOf(expanded);
}

/** The documents as they would be written to a folder. */
export function bytesOf({ pieces }: Pick<Expanded, "pieces">): Map<string, Uint8Array> {
  return new Map([...pieces].map(([name, { text }]) => [name, Buffer.from(text)]));
}

/** A line with its line end, as far as that is not a line feed. */
type SourceLine = Line & { readonly raw: string };

interface SourceText {
  readonly file: string;
  /** The front matter with its two `---` lines. */
  readonly head: string;
  readonly bodyLine: number;
  readonly lines: readonly SourceLine[];
  /** The number of the line on which a block begins that the end of the file is part of. */
  readonly endsIn: number | undefined;
}

/** A heading of level 1 or 2 with the lines below it; the first part has none. */
interface Part {
  readonly heading: SourceLine | undefined;
  readonly title: string;
  readonly task: TaskHeading | undefined;
  readonly below: readonly SourceLine[];
}

function partsOf({ lines }: SourceText): Part[] {
  const parts: (Part & { below: SourceLine[] })[] = [{ heading: undefined, title: "", task: undefined, below: [] }];
  for (const line of lines) {
    const heading = line.kind === "heading" ? headingOf(line.text) : undefined;
    if (heading === undefined || heading.depth > 2) parts.at(-1)!.below.push(line);
    else parts.push({ heading: line, title: heading.title, task: readTaskHeading(line), below: [] });
  }
  return parts;
}

/** A block that is never closed hides every task below it. */
function unclosedBlock({ file, bodyLine, lines, endsIn }: SourceText): Problem | undefined {
  const block = endsIn === undefined ? [] : lines.filter(({ opened }) => opened === endsIn);
  const [first] = block;
  if (first === undefined || !block.some((line) => readTaskHeading(line) !== undefined)) return undefined;
  const close = first.kind === "comment" ? "-->" : "```";
  const message = `the block that starts here is not closed and hides the tasks below it: add a line "${close}"`;
  return problemAt(file, "unclosed-block", message, at(bodyLine, first));
}

/** A line of a document, and the line of the one file that it comes from. */
type Written = readonly [text: string, line: number];

function assemble(source: SourceText, parts: readonly Part[]): Expanded | { readonly problems: Problem[] } {
  const { file } = source;
  const first = parts.findIndex(({ task }) => task !== undefined);
  const above = first === -1 ? parts : parts.slice(0, first);
  const tasks = first === -1 ? [] : parts.slice(first);
  const read = tasks.map((part) => taskPiece(source, part));
  const miswritten = miswrittenTasks(source);
  const others = [
    ...above.flatMap((part) => misplacedAbove(source, part)),
    ...twins(source, tasks),
    ...secondScope(source, above),
    ...read.flatMap((one) => ("code" in one ? [one] : [])),
  ];
  const problems = [...miswritten, ...others.filter(({ line }) => !miswritten.some((one) => one.line === line))];
  const warnings = hiddenTasks(source);
  if (first === -1 && problems.length === 0)
    problems.push(
      ...(warnings.length === 0 ? [problemAt(file, "no-tasks", noTasks)] : warnings.slice(0, 1).map(asError)),
    );
  if (problems.length > 0) return { problems: sortProblems(problems) };
  const scope = above.find(isScope);
  const pieces: [string, Piece][] = [["plan.md", planPiece(source, above, tasks)]];
  if (scope !== undefined) pieces.push(["scope.md", scopePiece(source, scope)]);
  for (const [index, { task }] of tasks.entries()) pieces.push([`tasks/${task!.id}.md`, read[index] as Piece]);
  return { pieces: new Map(pieces), warnings };
}

const shape = '"## [ ] 01-name Title", and directly below it a yaml block with its files and checks';
const noTasks = `the plan has no tasks: write each as ${shape}`;

function isScope({ title }: Part): boolean {
  return title.toLowerCase() === "scope";
}

function misplacedAbove({ file, bodyLine }: SourceText, { heading, title, below }: Part): Problem[] {
  if (heading === undefined) return [];
  const place = at(bodyLine, heading);
  if (title === "Tasks") {
    const message = `a plan of one file has no list of tasks: remove this heading, and write each task as ${shape}`;
    return [problemAt(file, "task-list", message, place)];
  }
  if (!isYamlFence(below.find(isFilled))) return [];
  return [problemAt(file, "no-box", `this looks like a task, but has no box: write ${shape}`, place)];
}

/** Only one of them would become scope.md. */
function secondScope({ file, bodyLine }: SourceText, above: readonly Part[]): Problem[] {
  const [first, ...others] = above.filter(isScope).map(({ heading }) => at(bodyLine, heading!));
  const message = `the section "## Scope" is there twice: line ${first?.line} has it, too. Join them`;
  return others.map((place) => problemAt(file, "scope", message, place));
}

/** Finds ids that are used twice, or that cannot be told apart. */
function twins({ file, bodyLine }: SourceText, tasks: readonly Part[]): Problem[] {
  const seen = new Map<string, TaskHeading>();
  return tasks.flatMap(({ task }) => {
    const twin = task === undefined ? undefined : seen.get(foldId(task.id));
    if (task !== undefined && twin === undefined) seen.set(foldId(task.id), task);
    if (task === undefined || twin === undefined || !isId(task.id)) return [];
    const message = `the task id ${quoted(task.id)} is used twice: line ${at(bodyLine, twin).line} has it, too. Give this task another`;
    return [problemAt(file, "duplicate-id", message, at(bodyLine, task))];
  });
}

/** An example in a code block is fine; a task that slipped into one is not noticed otherwise. Comments are left out on purpose. */
function hiddenTasks({ file, bodyLine, lines }: SourceText): Problem[] {
  return lines
    .filter((line) => line.kind === "code" && /^[ x]$/.test(readTaskHeading(line)?.marker ?? ""))
    .map((line) => {
      const block = at(bodyLine, { number: line.opened ?? line.number }).line;
      const message = `this reads like a task, but is inside the code block that starts on line ${block}, so it is none`;
      return warningAt(file, at(bodyLine, line), { code: "hidden-task", message });
    });
}

/** A task that is written in another way would silently become text of the task above it. */
function miswrittenTasks({ file, bodyLine, lines }: SourceText): Problem[] {
  return findMiswrittenTasks(lines).map(({ number, message }) =>
    problemAt(file, "hidden-task", message, at(bodyLine, { number })),
  );
}

function asError(warning: Problem): Problem {
  return { ...warning, severity: "error" };
}

function planPiece(source: SourceText, above: readonly Part[], tasks: readonly Part[]): Piece {
  const { head, bodyLine } = source;
  const front = head.split("\n").slice(0, -1);
  const overview = above
    .filter((part) => !isScope(part))
    .flatMap(({ heading, below }) => written(source, [...(heading === undefined ? [] : [heading]), ...below]));
  const list = tasks.map(({ task, heading }): Written => {
    const { id, title, ticked } = task!;
    return [`- [${ticked ? "x" : " "}] [${id}](tasks/${id}.md) ${title}${endOf(heading)}`, at(bodyLine, task!).line];
  });
  const line = list[0]?.[1] ?? 1;
  const end = endOf(tasks[0]?.heading);
  return pieceOf([
    ...front.map((text, index): Written => [text, index + 1]),
    ...withoutBlankEnd(overview),
    ...[end, `## Tasks${end}`, end].map((text): Written => [text, line]),
    ...list,
  ]);
}

function scopePiece(source: SourceText, { heading, below }: Part): Piece {
  const title: Written = [`# Scope${endOf(heading)}`, at(source.bodyLine, heading!).line];
  return pieceOf([title, ...withoutBlankEnd(written(source, below.map(oneLevelUp)))]);
}

function taskPiece(source: SourceText, { heading, task, below }: Part): Piece | Problem {
  const { file, bodyLine } = source;
  const place = at(bodyLine, heading!);
  if (task === undefined) {
    const message = `after the first task, every heading of level 1 or 2 is a task: write ${shape}; or use "###" for a section of the task above`;
    return problemAt(file, "stray-section", message, place);
  }
  const flaw = headingFlaw(task);
  if (flaw !== undefined) return problemAt(file, flaw.code, flaw.message, place);
  const fence = below.find(isFilled);
  if (!isYamlFence(fence)) {
    const message = `the task ${quoted(task.id)} has no yaml block: directly below this heading write "\`\`\`yaml", its files and checks, and "\`\`\`"`;
    return problemAt(file, "no-yaml", message, place);
  }
  const block = below.filter(({ opened }) => opened === fence.number);
  const inside = block.slice(1, -1);
  if (source.endsIn === fence.number || inside.some(({ text }) => /^##+[ \t]/.test(text))) {
    const message = 'the yaml block that starts here is not closed: add a line "```" after its last key';
    return problemAt(file, "unclosed-yaml", message, at(bodyLine, fence));
  }
  const divider = inside.find(({ text }) => /^---[ \t]*$/.test(text));
  if (divider !== undefined)
    return problemAt(file, "yaml", 'a yaml block has no "---" lines: remove this one', at(bodyLine, divider));
  const end = endOf(heading);
  const hasTitle = task.title === "" || inside.some(({ text }) => /^(["']?)title\1[ \t]*:/.test(text));
  const comments = below.slice(0, below.indexOf(fence)).filter(({ kind }) => kind === "comment");
  const body = [...comments, ...below.slice(below.indexOf(block.at(-1)!) + 1).map(oneLevelUp)];
  return pieceOf([
    [`---${end}`, place.line],
    ...(hasTitle ? [] : [[`title: ${yamlText(task.title)}${end}`, place.line] as const]),
    ...written(source, inside),
    [`---${end}`, at(bodyLine, block.at(-1)!).line],
    ...withoutBlankEnd(written(source, body)),
  ]);
}

function headingFlaw({ id, marker }: TaskHeading): Pick<Problem, "code" | "message"> | undefined {
  if (marker !== " " && marker !== "x")
    return { code: "unknown-marker", message: `unknown marker ${quoted(`[${marker}]`)}; write "[ ]" or "[x]"` };
  if (isId(id)) return undefined;
  const what = id === "" ? "the task has no id" : `${quoted(id)} is not a task id`;
  return { code: "bad-id", message: `${what}: write "## [ ] 01-name Title"; for the id, ${idRule}` };
}

function isYamlFence(line: SourceLine | undefined): line is SourceLine {
  return line?.kind === "code" && /^(?:`{3,}|~{3,})[ \t]*ya?ml[ \t]*$/i.test(line.text);
}

/** Whether a line may not come before the yaml block of a task; comments may. */
function isFilled({ text, kind }: SourceLine): boolean {
  return text.trim() !== "" && kind !== "comment";
}

/** The headings of a task are below that of the task; in a file of its own they are at the top. */
function oneLevelUp(line: SourceLine): SourceLine {
  return line.kind === "heading" ? { ...line, raw: line.raw.slice(1) } : line;
}

function written({ bodyLine }: SourceText, lines: readonly SourceLine[]): Written[] {
  return lines.map((line) => [line.raw, at(bodyLine, line).line]);
}

function withoutBlankEnd(lines: readonly Written[]): Written[] {
  return lines.slice(0, lines.findLastIndex(([text]) => text.trim() !== "") + 1);
}

function pieceOf(lines: readonly Written[]): Piece {
  return { text: lines.map(([text]) => `${text}\n`).join(""), lines: lines.map(([, line]) => line) };
}

/** Lines that are added end as the author's do. */
function endOf(line: SourceLine | undefined): string {
  return line?.raw.endsWith("\r") === true ? "\r" : "";
}

function at(bodyLine: number, { number }: { readonly number: number }) {
  return { line: bodyLine + number - 1, column: 1 };
}
