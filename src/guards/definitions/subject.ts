import type { Task } from "../../plan/types.ts";
import type { Fault } from "../../syntax/settings.ts";
import { changedLines, type EvidenceLine } from "../evidence-lines.ts";
import type { ReadText, Use, Uses } from "./uses.ts";

/** A changed definition file, and what rests on it before and after. */
export interface Subject {
  readonly task: Task;
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly was: Uses;
  readonly is: Uses;
  /** Any file as it is on the base. */
  readonly read: ReadText;
  /** Whether the change removes that file. */
  readonly isDeleted: (path: string) => boolean;
}

/** What is wrong with a changed definition file, and the lines that show it. */
export interface Finding {
  readonly why: string;
  readonly lines: readonly EvidenceLine[];
}

/** One rule of the guard; asked about every changed definition file. */
export type DefinitionRule = (subject: Subject) => readonly Finding[] | Promise<readonly Finding[]>;

/** What cannot be read may say anything: it is refused, whatever it was before. */
export function unreadable({ before, after }: Subject, { fault }: Fault): Finding {
  return {
    why: `was changed, but it cannot be read (${fault}), so what checks would prove is unknown. Fix its syntax, or put it back.`,
    lines: changedLines(before, after),
  };
}

/** Finds the first line of a text that contains all of these words; none where the text is absent. */
export function lineWith(text: string | null, sign: "-" | "+", ...words: readonly string[]): EvidenceLine[] {
  const lines = text?.split(/\r?\n/) ?? [];
  const at = lines.findIndex((line) => words.every((word) => line.includes(word)));
  return at === -1 ? [] : [{ sign, line: at + 1, text: lines[at] ?? "" }];
}

/** Finds the line with these words before and after, where they differ. */
export function linesOfBoth({ before, after }: Subject, ...words: readonly string[]): EvidenceLine[] {
  const [was, is] = [lineWith(before, "-", ...words), lineWith(after, "+", ...words)];
  return was[0]?.text === is[0]?.text ? [] : [...was, ...is];
}

/** Lists every use of a file's entries, before or after. */
export function usesIn({ path, was, is }: Subject): ReadonlyMap<string, Use> {
  return new Map([...(is.entries.get(path) ?? []), ...(was.entries.get(path) ?? [])]);
}

/** Finds the command line that runs one of these programs; undefined where none does. */
export function runnerOf({ was, is }: Subject, programs: RegExp): string | undefined {
  return [...was.programs, ...is.programs].find(([program]) => programs.test(program))?.[1];
}
