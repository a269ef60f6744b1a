import { posix } from "node:path";
import type { Task } from "../../plan/types.ts";
import { isHeardInstead } from "./heard.ts";
import { jsonOf, recordOf } from "../../syntax/json.ts";
import { lineWith, linesOfBoth, usesIn, type Finding, type Subject } from "./subject.ts";
import type { Use } from "./uses.ts";
import { whyVacuous } from "./vacuous.ts";

/** Compares scripts of package.json, composer.json and deno.json that a check or set-up runs. */
export function scriptFindings(subject: Subject): Finding[] {
  const table = tableName(subject.path);
  if (table === undefined) return [];
  const [was, is] = [subject.before, subject.after].map((text) => recordOf(recordOf(jsonOf(text ?? ""))[table]));
  return [...usesIn(subject)].flatMap(([name, use]) => {
    const entry = { name, use, was: textOf(was?.[name]), is: textOf(is?.[name]) };
    if (isAskedFor(subject, entry)) return [];
    const why = whyNot(entry, use.hookOf !== null && (use.hookOf === use.by || was?.[use.hookOf] !== undefined));
    return why === undefined ? [] : [{ why, lines: evidenceOf(subject, entry) }];
  });
}

interface Entry {
  readonly name: string;
  readonly use: Use;
  readonly was: string | undefined;
  readonly is: string | undefined;
}

function tableName(path: string): "scripts" | "tasks" | undefined {
  const name = posix.basename(path).toLowerCase();
  if (name === "package.json" || name === "composer.json") return "scripts";
  return /^deno\.jsonc?$/.test(name) ? "tasks" : undefined;
}

function whyNot({ name, use, was, is }: Entry, isHookOfKnown: boolean): string | undefined {
  if (was === is) return undefined;
  const decides = `decides what \`${use.by}\` runs`;
  if (was === undefined) {
    if (isHookOfKnown)
      return `was changed, but its new script "${name}" runs whenever \`${use.by}\` does, and the check was approved without it. Remove it.`;
    const vacuous = whyVacuous(is ?? "");
    return vacuous === undefined
      ? undefined
      : `was changed, but its new script "${name}" ${decides} and ${vacuous}. Make it run what the check is for.`;
  }
  if (is !== undefined && onlyDemandsMore(was, is)) return undefined;
  const did = is === undefined ? "removed" : "changed";
  return `was changed, but its script "${name}" ${decides}; the check was approved as \`${was}\`, and the script was ${did}. Put it back.`;
}

/** Whether the task speaks of the script, and a witness hears whether the new one runs the tests. */
function isAskedFor({ task, path }: Subject, { name, was, is }: Entry): boolean {
  if (was === undefined || is === undefined || was === is) return false;
  return speaksOfScript(task, path, { name, is }) && isHeardInstead(was, is, task.files);
}

/** Whether a task names a file literally and its own words, without its checks, speak of a script in it. */
function speaksOfScript(task: Task, path: string, script: { readonly name: string; readonly is: string }): boolean {
  const { modify, touch } = task.files;
  if (![...modify, ...touch].includes(path)) return false;
  const words = [task.title, ...Object.values(task.sections)].join("\n");
  return namesScript(words, script.name) || namesMove(words, script.is);
}

/** Whether a task says `npm test`, "the test script", "script `test`" or `scripts`. */
function namesScript(words: string, name: string): boolean {
  const own = name.replaceAll(/[^\w:-]/g, ".");
  const quote = "[\"'`]?";
  const ways = [
    String.raw`\b(?:npm|yarn|pnpm|bun)(?: run)? ${own}(?![\w:-])`,
    String.raw`(?<![\w:-])${own}${quote}\s+scripts?\b`,
    String.raw`\bscripts?\s+${quote}${own}(?![\w:-])`,
    String.raw`\bscripts\b`,
  ];
  return ways.some((way) => new RegExp(way, "i").test(words));
}

/** Whether a task says "move the tests from test/ to src/", where the new command line says `src/`. */
function namesMove(words: string, line: string): boolean {
  const places = line.split(/\s+/).filter((word) => word.includes("/"));
  const isMove = /\b(?:mov|renam|relocat)\w*\b[^.]*\btests?\b/i.test(words);
  return isMove && places.length > 0 && places.every((place) => words.includes(place.replace(/\/$/, "")));
}

/** `old && more` is red whenever `old` was. */
function onlyDemandsMore(was: string, is: string): boolean {
  const more = is.startsWith(was) ? is.slice(was.length) : "";
  return (
    /^\s*&&\s*[^;|&\n`$()]+(?:&&[^;|&\n`$()]+)*$/.test(more) && !was.includes("#") && !was.trimEnd().endsWith("\\")
  );
}

function textOf(script: unknown): string | undefined {
  return script === undefined || typeof script === "string" ? script : JSON.stringify(script);
}

function evidenceOf(subject: Subject, { name, was, is }: Entry) {
  const key = JSON.stringify(name);
  const both = linesOfBoth(subject, `${key}:`);
  if (both.length > 0) return both;
  return [
    ...(was === undefined ? [] : lineWith(subject.before, "-", key)),
    ...(is === undefined ? [] : lineWith(subject.after, "+", key)),
  ];
}
