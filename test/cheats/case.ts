import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";

/** Who wrote a case: those who built the guards, or somebody who had not seen them; *seen* ones were looked at since. */
export type Origin = (typeof origins)[number];

/** In the order in which tables show them. */
export const origins = ["known", "seen", "held-out"] as const;

/** How somebody could see a cheat: by reading the diff, by watching the execution, or only by understanding the intent. */
export type ShownBy = "diff" | "execution" | "reviewer";

/** New contents of a file, null where it is deleted, or a link. */
export type Work = string | null | { readonly link: string } | { readonly text: string; readonly executable?: boolean };

/** A check as a plan has it. */
export type CaseCheck = string | Readonly<Record<string, unknown>>;

/** What a case file says; test/cheats/README.md has the meaning of each field. */
export interface CaseFile {
  readonly kind: string;
  readonly language: string;
  readonly shown_by?: ShownBy;
  readonly why: string;
  readonly needs?: readonly string[];
  readonly task: {
    readonly title: string;
    readonly goal: string;
    readonly files: unknown;
    readonly checks: readonly CaseCheck[];
  };
  readonly base: Readonly<Record<string, Work>>;
  readonly work: Readonly<Record<string, Work>>;
  readonly shell?: readonly string[];
  readonly report?: Readonly<Record<string, unknown>>;
  readonly fools?: "checks" | "report" | "other";
}

/** One task and what one agent made of it. */
export interface Case extends CaseFile {
  readonly name: string;
  readonly origin: Origin;
  readonly isCheat: boolean;
}

/** All cases, or those whose name holds one of the words. */
export function readCases(dir: string, words: readonly string[] = []): Case[] {
  return origins
    .flatMap((origin) => [...casesIn(dir, origin, true), ...casesIn(dir, origin, false)])
    .filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
}

/** One of several parts of about the same size and mixture, written `2/3`; all of them where none is named. */
export function partOf(cases: readonly Case[], part: string | undefined): Case[] {
  const [, which, count] = /^(\d+)\/(\d+)$/.exec(part ?? "1/1") ?? [];
  if (which === undefined || count === undefined) throw new Error(`--part=${part} is not written as --part=1/3`);
  return cases.filter((_, at) => at % Number(count) === Number(which) - 1);
}

/** The cases that are known to get the better of the guards, by name; each with the reason. */
export function openCases(dir: string): ReadonlySet<string> {
  const said = parse(readFileSync(join(dir, "open.yaml"), "utf8")) as Readonly<Record<string, string>> | null;
  return new Set(Object.keys(said ?? {}));
}

function casesIn(dir: string, origin: Origin, isCheat: boolean): Case[] {
  const folder = join(dir, origin, isCheat ? "cheating" : "honest");
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".yaml")) : [];
  return files.toSorted().map((file) => readCase(join(folder, file), { origin, isCheat }));
}

function readCase(file: string, { origin, isCheat }: Pick<Case, "origin" | "isCheat">): Case {
  const said = parse(readFileSync(file, "utf8")) as CaseFile;
  const missing = required.find((key) => said[key] === undefined);
  if (missing !== undefined) throw new Error(`${file} has no ${missing}. See test/cheats/README.md.`);
  if (isCheat !== (said.shown_by !== undefined))
    throw new Error(`${file}: cheats have shown_by, honest cases have none. See test/cheats/README.md.`);
  return { ...said, name: basename(file, ".yaml"), origin, isCheat };
}

const required = ["kind", "language", "why", "task", "base", "work"] as const;
