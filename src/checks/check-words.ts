import { posix } from "node:path";
import { definesCommands } from "../plan/definitions.ts";
import { fileKey, isGlob, matcher } from "../plan/paths.ts";
import type { Check, TaskFiles } from "../plan/types.ts";

/** What is run or looked at to verify a task, as far as a file could decide it. */
export interface Judging {
  readonly files: TaskFiles;
  readonly checks: readonly Check[];
  /** The command of set-up, which is run before checks; empty where there is none. */
  readonly setup: string;
}

/** Says how a file may decide what checks find; a change of such a file could make them green without the work. */
export function whyItDecides(path: string, { files, checks, setup }: Judging): string | undefined {
  if (definesCommands(path)) return "it can decide what a check runs";
  const own = [...files.create, ...files.modify, ...files.delete, ...files.touch];
  const isMeant = (words: readonly string[]) =>
    words.some((word) => means(fileKey(word), fileKey(path), own.map(fileKey)));
  if (checks.some((check) => isMeant(wordsOf(check)))) return "a check names it";
  return isMeant(commandWords(setup, ".")) ? "set-up names it" : undefined;
}

/** Whether a check speaks of this very file. */
export function namesFile(check: Check, path: string): boolean {
  const names = [fileKey(path), fileKey(path).replace(/\.[^./]+$/, "")];
  return wordsOf(check).some((word) => names.includes(fileKey(word)));
}

function wordsOf(check: Check): readonly string[] {
  if (check.kind === "run") return commandWords(check.run, check.cwd);
  return check.kind === "judge" ? [] : [check.path];
}

/** Splits without a shell's parser: whatever stands between blanks, quotes and operators could be a path. */
function commandWords(command: string, cwd: string): string[] {
  const words = command.split(/[\s'"`;|&<>()=$,:]+/).filter((word) => word !== "" && !word.startsWith("-"));
  const modules = words.filter((word) => !word.includes("/")).map((word) => word.replaceAll(".", "/"));
  const paths = [...words, ...modules].flatMap((word) => [word, posix.join(cwd, word)]);
  return [...new Set(paths.map((path) => posix.normalize(path).replace(/\/$/, "")))].filter((path) => path !== ".");
}

/** A folder that the task works in is not one of checks alone; a module is named without its extension. */
function means(word: string, path: string, own: readonly string[]): boolean {
  if (word === path || word === path.replace(/\.[^./]+$/, "")) return true;
  const inside = `${word}/`;
  if (path.startsWith(inside)) return !own.some((entry) => entry.startsWith(inside));
  return isGlob(word) && matcher([word])(path);
}
