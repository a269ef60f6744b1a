import { posix } from "node:path";
import type { GuardEvidence } from "../../engine/evidence.ts";
import { expandBraces } from "../../plan/paths.ts";
import { allows, protectedKind } from "../../plan/protected.ts";
import type { Task } from "../../plan/types.ts";
import { changedLines, evidenceLines, type EvidenceLine } from "../evidence-lines.ts";
import type { ChangedText, Contents } from "../content-guard.ts";
import { isShell, nameOf, type Call } from "../../base/command-line.ts";
import type { Uses } from "./uses.ts";

/**
 * A program of the project that a check runs is part of the check, unless the task names it: then it is the work. Whoever
 * wrote a glob such as `scripts/**` thought of no file in particular, and not of the one that judges.
 */
export function programFileFindings(
  { task, changes }: Pick<Contents, "task" | "changes">,
  was: Uses,
  is: Uses,
): GuardEvidence[] {
  // What is out of scope, another guard refuses.
  const own = changes.filter(({ status, path }) => allows(task.files, status, path));
  return own.flatMap((change) => {
    const by = was.files.get(change.path);
    if (by !== undefined && !isNamed(task, change.path) && protectedKind(change.path, []) === undefined)
      return [violation(change, approved(change, by), changedLines(change.before, change.after))];
    return endedEarly(change, by ?? is.files.get(change.path));
  });
}

function isNamed({ files }: Pick<Task, "files">, path: string): boolean {
  const entries = [...files.create, ...files.modify, ...files.delete, ...files.touch];
  return entries.some((entry) => entry === path || expandBraces(entry)?.includes(path) === true);
}

function approved({ status }: ChangedText, by: string): string {
  const did = status === "D" ? "deleted" : "changed";
  return `was ${did}, but \`${by}\` runs it, and the check was approved with the old version. Put it back; only a task that names it without a glob may change it.`;
}

/** Even the script that a task is there to write must do what it says. */
function endedEarly(change: ChangedText, by: string | undefined): GuardEvidence[] {
  const { path, before, after } = change;
  if (by === undefined || after === null || !isShellScript(path, after)) return [];
  const end = earlyEnd(after);
  if (end === undefined || (before !== null && earlyEnd(before) !== undefined)) return [];
  const why = `${before === null ? "was created" : "was changed"}, but it exits with success before it does what \`${by}\` runs it for. Remove that line.`;
  return [violation(change, why, [{ sign: "+", ...end }])];
}

function violation({ path }: ChangedText, why: string, lines: readonly EvidenceLine[]): GuardEvidence {
  return { guard: "definition", path, why, ...(lines.length > 0 && { evidence: evidenceLines(lines) }) };
}

/** Returns the file that a call runs as a program; undefined where the program is not one of the project's files. */
export function programFileOf({ words, dir }: Call): string | undefined {
  const [program = "", ...rest] = words;
  if (program.includes("/") && !program.startsWith("/") && !isShell(program)) return posix.join(dir, program);
  if (!isShell(program) && !interpreters.test(nameOf(program))) return undefined;
  const at = rest.findIndex((word, index) => !/^(?:-|run$)/.test(word) && !takingValue.test(rest[index - 1] ?? ""));
  const isText = rest.slice(0, Math.max(0, at)).some((word) => /^-(?:e|c|p|-eval|-print)$/.test(word));
  return at === -1 || isText ? undefined : posix.join(dir, rest[at] ?? "");
}

const interpreters =
  /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua|Rscript|pwsh|source|\.)$/;
const takingValue = /^(?:-r|-o|-I|-W|-X|-C|--require|--import|--loader|--env-file|--conditions|--config)$/;

/** Whether the file is there to judge, or to set up, and is no product that the line only tries out. */
export function isJudge(path: string, isLast: boolean): boolean {
  if (judging.test(posix.basename(path))) return true;
  if (!isLast || /^(?:\.\/)?(?:src|lib|app|cmd|packages|bin)\//.test(path)) return false;
  return /\.(?:sh|bash)$/.test(path) || /(?:^|\/)(?:scripts?|tools?|ci|\.ci|hack|checks|qa)\//.test(path);
}

const judging =
  /(?:^|[-_.])(?:checks?|tests?|verify|verification|validate|lint|ci|accept|acceptance|smoke|e2e|assert|gate)(?:[-_.]|$)/i;

/** Whether a program is a script for the shell. */
export function isShellScript(path: string, text: string): boolean {
  return /\.(?:sh|bash|zsh)$/.test(path) || /^#!.*\b(?:ba|da|z|k)?sh\b/.test(text);
}

/** Returns the lines of a script for the shell, without comments and without what is only data. */
export function commandsOf(script: string): string {
  return linesOf(script)
    .map(({ text }) => text)
    .join("\n");
}

/** Finds the first line that ends a script with success whatever it finds, while commands follow. */
function earlyEnd(script: string): { readonly line: number; readonly text: string } | undefined {
  const lines = linesOf(script);
  let depth = 0;
  for (const [at, { line, text }] of lines.entries()) {
    if (depth === 0 && ends.test(text) && at < lines.length - 1) return { line, text };
    depth = Math.max(0, depth + count(text, opening) - count(text, closing));
  }
  return undefined;
}

const ends = /^\s*(?:exit(?:\s+0)?|return\s+0|exec\s+(?:true|:))\s*(?:[;#].*)?$/;
const opening = /(?:^|[;&|]|\b(?:then|do|else)\b)\s*(?:if|for|while|until|case|select)\b|[{(]\s*(?=$|#)/g;
const closing = /(?:^|[;&|])\s*(?:fi|done|esac)\b|^\s*[})]/g;

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

interface Line {
  readonly line: number;
  readonly text: string;
}

function linesOf(script: string): Line[] {
  const lines: Line[] = [];
  let word: string | undefined;
  for (const [at, text] of script.split(/\r?\n/).entries()) {
    if (word !== undefined) {
      if (text.trim() === word) word = undefined;
      continue;
    }
    word = /<<-?\s*(["']?)(\w+)\1/.exec(text)?.[2];
    if (!/^\s*(?:#|$)/.test(text)) lines.push({ line: at + 1, text });
  }
  return lines;
}
