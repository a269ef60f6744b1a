import { isDeepStrictEqual } from "node:util";
import { isAlias, isMap, isScalar, isSeq, parseDocument, visit, type Document, type Pair, type YAMLMap } from "yaml";
import { splitFrontMatter } from "../../plan/front-matter.ts";
import { quoted } from "../../plan/problem.ts";
import { decodeText } from "../../plan/text.ts";
import { parseYaml, type Locate, type Source } from "../../plan/yaml.ts";
import type { DraftProblem } from "./assessment.ts";
import type { Asked } from "./events.ts";

/** A plan.md with the decisions as they were made, and where its planner wrote something else. */
export interface Recorded {
  readonly bytes: Uint8Array;
  readonly problems: readonly DraftProblem[];
  /** Maps a line of the file to the line that its planner wrote; for an added decision, to one nearby. */
  readonly writtenLine: (line: number) => number;
}

/**
 * Writes the questions and answers into `decisions` of a plan.md. An answer of the planner's own is marked as assumed.
 * Nothing else in the file changes; lint reports front matter that cannot be read.
 */
export function recordDecisions(planMd: Uint8Array, asked: readonly Asked[]): Recorded {
  const unchanged: Recorded = { bytes: planMd, problems: [], writtenLine: (line) => line };
  const decoded = decodeText("plan.md", planMd);
  const split = "text" in decoded ? splitFrontMatter(decoded.text) : "none";
  if (!("text" in decoded) || typeof split === "string") return unchanged;
  const source = parseYaml("plan.md", split.yaml, 2);
  if ("problems" in source) return unchanged;
  const written = source.data["decisions"] ?? [];
  if (!Array.isArray(written)) return unchanged;
  const yaml = rewritten(split.yaml, asked);
  const problems = problemsIn(written, asked, source.at);
  const after = parseYaml("plan.md", yaml, 2);
  // The library may rewrite rare forms of YAML; no other key may change by that.
  if (yaml === split.yaml) return { ...unchanged, problems };
  if ("problems" in after || !hasSameRest(source.data, after.data))
    return { ...unchanged, problems: [...problems, unrecorded(source.at(["decisions"]).line)] };
  const start = split.bodyIndex - closingLength(decoded.text, split.bodyIndex) - split.yaml.length;
  const text = decoded.text.slice(0, start) + yaml + decoded.text.slice(start + split.yaml.length);
  const mark = planMd.length - Buffer.byteLength(decoded.text);
  const bytes = Buffer.concat([planMd.subarray(0, mark), Buffer.from(text)]);
  return { bytes, problems, writtenLine: lineBefore(decoded.text.split("\n"), text.split("\n")) };
}

/** This is an error, because otherwise an answer of the planner's own would pass for a person's. */
function unrecorded(line: number): DraftProblem {
  const message = "the decisions cannot be recorded here. Write `decisions` as a plain list of keys and values.";
  return { severity: "error", source: "decisions", file: "plan.md", line, message };
}

/** Finds the decisions that a person made by editing a plan.md: a new answer, or one that is no longer marked as assumed. */
export function decidedBy(before: Uint8Array, after: Uint8Array): Asked[] {
  const old = new Map(decisionsIn(before).map((one) => [one.id, one]));
  const made = decisionsIn(after).filter(({ id, answer, assumed }) => {
    const was = old.get(id);
    return answer !== "" && (answer !== was?.answer || (was.assumed && !assumed));
  });
  return made.map((one) => ({ ...one, assumed: false }));
}

/** Reads the decisions as far as possible; lint reports the rest. */
function decisionsIn(planMd: Uint8Array): Asked[] {
  const decoded = decodeText("plan.md", planMd);
  const split = "text" in decoded ? splitFrontMatter(decoded.text) : "none";
  const source = typeof split === "string" ? undefined : parseYaml("plan.md", split.yaml, 2);
  const written: unknown = source === undefined || "problems" in source ? [] : source.data["decisions"];
  return (Array.isArray(written) ? written : []).flatMap((one: unknown) => {
    const { id, question, options, recommend, answer, assumed } = (one ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof id !== "string" || typeof question !== "string") return [];
    const texts = Array.isArray(options) ? options.filter((option) => typeof option === "string") : [];
    const recommended = typeof recommend === "string" ? recommend : null;
    const given = typeof answer === "string" ? answer : "";
    return [{ id, question, options: texts, recommend: recommended, answer: given, assumed: assumed === true }];
  });
}

/** Maps lines: only those of the decisions differ, so all above and below them are the same. */
function lineBefore(before: readonly string[], after: readonly string[]): (line: number) => number {
  const shorter = Math.min(before.length, after.length);
  let above = 0;
  while (above < shorter && before[above] === after[above]) above++;
  let below = 0;
  while (below < shorter - above && before.at(-1 - below) === after.at(-1 - below)) below++;
  return (line) => {
    if (line > after.length - below) return line - after.length + before.length;
    return Math.max(1, Math.min(line, before.length - below));
  };
}

/** Returns the length of the line that closes the front matter. */
function closingLength(text: string, bodyIndex: number): number {
  const before = text.slice(0, bodyIndex);
  return before.length - (before.replace(/\n$/, "").lastIndexOf("\n") + 1);
}

function hasSameRest(before: Source["data"], after: Source["data"]): boolean {
  return isDeepStrictEqual({ ...after, decisions: null }, { ...before, decisions: null });
}

/** Rewrites only the lines of `decisions`, where they can be separated from the others. */
function rewritten(yaml: string, asked: readonly Asked[]): string {
  const whole = parseDocument(yaml);
  const lines = linesOf(yaml, whole.contents);
  const part = lines === undefined ? undefined : parseDocument(yaml.slice(lines.start, lines.end));
  const isAlone = part?.errors.length === 0 && part.warnings.length === 0 && !hasAlias(part);
  if (lines === undefined || part === undefined || !isAlone) return settled(whole, asked) ? printed(whole, yaml) : yaml;
  return settled(part, asked) ? yaml.slice(0, lines.start) + printed(part, yaml) + yaml.slice(lines.end) : yaml;
}

/** Finds where `decisions` begins and ends. Comments and blank lines after the last of them belong to what follows. */
function linesOf(yaml: string, contents: unknown): { readonly start: number; readonly end: number } | undefined {
  const items = isMap(contents) && contents.flow !== true ? contents.items : contents === null ? [] : undefined;
  if (items === undefined || items.some((item) => !beginsLine(yaml, item))) return undefined;
  const pair = items.find(({ key }) => isScalar(key) && key.value === "decisions");
  if (pair === undefined) return { start: yaml.length, end: yaml.length };
  const [start = 0] = rangeOf(pair.key);
  const valueEnd = rangeOf(pair.value)[2] ?? start;
  const lineEnd = yaml[valueEnd - 1] === "\n" ? valueEnd : (yaml + "\n").indexOf("\n", valueEnd) + 1;
  return { start, end: endOfLast(yaml, start, lineEnd) };
}

/** Goes by lines from the end: one pattern for all would read a million blank lines again and again. */
function endOfLast(yaml: string, start: number, end: number): number {
  const lines = yaml.slice(start, end).split(/(?<=\n)/);
  while (lines.length > 1 && /^[ \t]*(?:#[^\n]*)?\r?\n$/.test(lines.at(-1) ?? "")) lines.pop();
  return start + lines.join("").length;
}

function beginsLine(yaml: string, { key }: Pair): boolean {
  const [start] = rangeOf(key);
  return start === 0 || (start !== undefined && yaml[start - 1] === "\n");
}

function rangeOf(node: unknown): readonly number[] {
  return (node as { readonly range?: readonly number[] | null } | null)?.range ?? [];
}

function hasAlias(document: Document): boolean {
  let found = false;
  visit(document, (_, node) => {
    if (isAlias(node)) found = true;
  });
  return found;
}

function printed(document: Document, like: string): string {
  const text = document.toString({ lineWidth: 0 });
  return like.includes("\r\n") ? text.replace(/\r?\n/g, "\r\n") : text;
}

/** Writes the decisions into a document; returns whether anything had to change. */
function settled(document: Document, asked: readonly Asked[]): boolean {
  const before = JSON.stringify(document.get("decisions") ?? []);
  const found = document.get("decisions");
  if (found !== undefined && found !== null && !isSeq(found)) return false;
  const items = isSeq(found) ? found.items.filter((item): item is YAMLMap => isMap(item)) : [];
  for (const item of items) settle(item, answerTo(item.get("id"), asked));
  const known = new Set(items.map((item) => item.get("id")));
  const missing = [...new Map(asked.map((one) => [one.id, one])).values()].filter(({ id }) => !known.has(id));
  if (missing.length > 0) add(document, missing);
  return JSON.stringify(document.get("decisions") ?? []) !== before;
}

/** Returns the last answer, where a question was asked twice. */
function answerTo(id: unknown, asked: readonly Asked[]): Asked | undefined {
  return asked.findLast((one) => one.id === id);
}

function settle(item: YAMLMap, asked: Asked | undefined): void {
  const own = item.get("answer") ?? null;
  const given = asked === undefined || asked.answer === "" ? null : asked.answer;
  if (given !== null && own !== given) item.set("answer", given);
  // The same answer to another question would be one that no person gave.
  if (given !== null && asked !== undefined && item.get("question") !== asked.question)
    item.set("question", asked.question);
  const isAssumed = given === null ? own !== null : asked?.assumed === true;
  if (isAssumed && item.get("assumed") !== true) item.set("assumed", true);
  if (!isAssumed && item.has("assumed")) item.delete("assumed");
}

function add(document: Document, missing: readonly Asked[]): void {
  const found = document.get("decisions");
  const nodes = missing.map((one) => document.createNode(entryOf(one)));
  for (const node of nodes) if (isMap(node)) inOneLine(node);
  if (isSeq(found) && found.items.length > 0) found.items.push(...nodes);
  else {
    const list = document.createNode(nodes);
    if (isSeq(found)) list.comment = found.comment ?? null;
    document.set("decisions", list);
  }
}

function inOneLine(entry: YAMLMap): void {
  const options = entry.get("options");
  if (isSeq(options)) options.flow = true;
}

function entryOf({ id, question, options, recommend, answer, assumed }: Asked): Readonly<Record<string, unknown>> {
  return {
    id,
    question,
    ...(options.length > 0 && { options: [...options] }),
    ...(recommend !== null && { recommend }),
    ...(answer !== "" && { answer, ...(assumed && { assumed }) }),
  };
}

function problemsIn(written: readonly unknown[], asked: readonly Asked[], at: Locate): DraftProblem[] {
  const found = written.flatMap((one, index) => {
    const { id, answer = null } = (one ?? {}) as { readonly id?: unknown; readonly answer?: unknown };
    if (typeof id !== "string") return [];
    const problem = problemOf({ id, answer }, answerTo(id, asked));
    return problem === undefined ? [] : [{ ...problem, line: at(["decisions", index]).line }];
  });
  const known = new Set(written.map((one) => (one as { readonly id?: unknown } | null)?.id));
  const open = asked.filter(({ id, answer }) => answer === "" && !known.has(id));
  return [...found, ...open.map(({ id }) => ({ ...openProblem(id), line: at(["decisions"]).line }))];
}

function problemOf(
  { id, answer }: { readonly id: string; readonly answer: unknown },
  asked: Asked | undefined,
): Omit<DraftProblem, "line"> | undefined {
  const given = asked === undefined || asked.answer === "" ? null : asked.answer;
  if (given === null) return answer === null ? openProblem(id) : undefined;
  if (typeof answer !== "string" || answer.trim() === given.trim()) return undefined;
  const who = asked?.assumed === true ? `${quoted(given)} was assumed` : `a person answered ${quoted(given)}`;
  const message = `decision ${id}: ${who}, but the draft says ${quoted(answer)}. Write that answer, and bring the tasks in line with it.`;
  return { severity: asked?.assumed === true ? "warning" : "error", source: "decisions", file: "plan.md", message };
}

function openProblem(id: string): Omit<DraftProblem, "line"> {
  const message = `decision ${id} has no answer, and a plan with an open decision cannot be approved. Give it an \`answer\`, or a \`recommend\` for the person who decides.`;
  return { severity: "warning", source: "open", file: "plan.md", message };
}
