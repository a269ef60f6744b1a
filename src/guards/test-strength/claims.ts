import { guardsLimits } from "../limits.ts";
import { assertsByName, type Force } from "./model.ts";
import type { Place } from "./places.ts";
import { isCommon } from "./tokens.ts";

/** A value as it is written in code; the same in any style of quotes or digits. */
export interface Literal {
  readonly value: string;
  /** The key of an entry, which says nothing about how much is claimed. */
  readonly isKey: boolean;
}

/** Literals that stand together: in one pair of brackets, those within included. */
interface Written {
  readonly literals: readonly Literal[];
  readonly words: ReadonlySet<string>;
  /** The content of each pair of brackets, where it is short enough to be one example. */
  readonly groups: readonly (readonly Literal[])[];
}

/** One assertion with the examples that it is written with. */
export interface Claim {
  readonly force: Force;
  /** Inputs and expected values of the statement, and whether it asks for true or false. */
  readonly values: readonly Literal[];
  /** It asks for a failure. */
  readonly raises: boolean;
}

/** Reads the assertions of a test, its calls of helpers included. */
export function claimsOf(place: Place): Claim[] {
  const { assertions, calls } = place.test;
  const asserting = new Set(place.side.file.helpers.filter((one) => one.assertions.length > 0).map(({ name }) => name));
  const called = calls.filter(({ name }) => asserting.has(name) || assertsByName.test(name));
  const found = new Map<number, Force>();
  for (const { line } of called) found.set(line, "strong");
  for (const { line, force } of assertions) if (force !== "vacuous") found.set(line, force);
  return [...found].map(([line, force]) => claimOf(place, line, force));
}

/** Removes the title, which says what a test is about and claims nothing. */
export function withoutTitle(place: Place): string {
  const [first = "", ...rest] = place.body.split("\n");
  return [untitled(first, place), ...rest].join("\n");
}

function untitled(text: string, { test }: Place): string {
  const title = test.name.split(" > ").at(-1) ?? "";
  const quoted = ['"', "'", "`"].map((quote) => `${quote}${title}${quote}`).find((one) => text.includes(one));
  return quoted === undefined ? text : text.replace(quoted, "");
}

/** Finds the names that a test speaks of, without its own and those of assertions. */
export function subjectsOf(place: Place): ReadonlySet<string> {
  const body = withoutTitle(place);
  const own = new Set(
    [
      ...body.matchAll(
        /(?:\b(?:const|let|var|as|for|def|fn|func)\s+(?:mut\s+)?)([\p{L}_$][\p{L}\p{N}_$]*)|([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::?=(?!=|>)|=>|:(?!:))/gu,
      ),
    ].map(([, declared, assigned]) => declared ?? assigned ?? ""),
  );
  const { words } = writtenIn(body, place.path);
  return new Set([...words].filter((word) => !own.has(word) && !isCommon(word) && !vocabulary.test(word)));
}

const vocabulary =
  /^(?:_*(?:assert|expect|should|must|refute)\w*|to[A-Z]\w*|be_\w+|raises?\w*|raise_error|with|pytest|unittest|TestCase|TestRunner|mark|parametrize|Errorf?|Fatalf?|testing|T|Helper|match|strict|deep\w*|not\w*|is[A-Z]\w*To|Object|Array|String|Number|JSON|stringify|super|static|final|throws?|assert_\w+|eq|ne|self|this|length|len|size|toString|rejects|resolves|isEqualTo|i32|u32|i64|u64|f64|str|int|string|bool|error|err)$/;

function claimOf(place: Place, line: number, force: Force): Claim {
  const statement = statementAt(place, line);
  const own = writtenIn(statement, place.path).literals;
  const truth = truthOf(statement);
  const isSole = place.test.assertions.length === 1 && own.length === 0;
  const values = isSole ? writtenIn(withoutTitle(place), place.path).literals : own;
  const asked = truth === undefined ? values : [...values, { value: truth, isKey: true }];
  return { force, values: asked, raises: /throw|rais|reject|panic|is_err\b|unwrap_err|assertRaises/i.test(statement) };
}

/** Returns the lines of one assertion: until its brackets are closed, with the block below it or the condition above it. */
function statementAt(place: Place, line: number): string {
  const { lines, path } = place.side;
  const last = Math.min(place.test.end, line + guardsLimits.statementLinesMax);
  let start = line;
  if (path.endsWith(".go"))
    while (start > place.test.line && line - start < 3 && !/\bif\b/.test(lines[start - 1] ?? "")) start -= 1;
  let end = line;
  while (end < last && (depthOf(lines.slice(start - 1, end).join("\n")) > 0 || isBelow(lines, line, end))) end += 1;
  const text = lines.slice(start - 1, end).join("\n");
  const own = line === place.test.line ? untitled(text, place) : text;
  return path.endsWith(".go") ? own.replaceAll(/\b\w+\.(?:Error|Fatal|Log)f?\([^\n]*/g, "") : own;
}

/** Whether the next line belongs to the block that a line opens by `:` or `do`. */
function isBelow(lines: readonly string[], head: number, end: number): boolean {
  const [first = "", next = ""] = [lines[head - 1], lines[end]];
  return /(?::|\bdo)\s*$/.test(first) && indent(next) > indent(first);
}

const indent = (line: string): number => line.search(/\S|$/);

function depthOf(text: string): number {
  const bare = text.replaceAll(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, "");
  return (bare.match(/[([{]/g)?.length ?? 0) - (bare.match(/[)\]}]/g)?.length ?? 0);
}

/** An assertion without an expected value asks for true, or for false. */
function truthOf(statement: string): "true" | "false" | undefined {
  if (
    /assert_?(?:False|_false)|toBeFalsy|\bassert(?:\.ok)?\(\s*!|\bassert\s+not\b|\brefute\b|\bassert!\(\s*!|isFalse\(|to\.be\.false/i.test(
      statement,
    )
  )
    return "false";
  const bare = statement.replaceAll(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|=>|->/g, "");
  if (/[=!]=|[<>]| in /.test(bare)) return undefined;
  return /assert_?True|toBeTruthy|\bassert(?:\.ok|!)?\s*\(|\bassert\s|isTrue\(|to\.be\.true/.test(bare)
    ? "true"
    : undefined;
}

/** More values than this are data, not an example that differs from others. */
export const exampleValuesMax = 24;

/** Reads the literals, names and brackets of a piece of code; comments say nothing. */
export function writtenIn(text: string, path: string): Written {
  const literals: Literal[] = [];
  const words = new Set<string>();
  const groups: Literal[][] = [];
  let open: Literal[][] = [];
  const add = (literal: Literal): void => {
    literals.push(literal);
    open = open.map((group) => (group.length > exampleValuesMax ? group : [...group, literal]));
  };
  for (const match of text.matchAll(lexer(path))) {
    const [token] = match;
    if (/^(?:\/\/|\/\*|#)/.test(token)) continue;
    if (/^[[({]$/.test(token)) open = open.length < bracketsMax ? [...open, []] : open;
    else if (/^[\])}]$/.test(token)) {
      const group = open.at(-1) ?? [];
      open = open.slice(0, -1);
      if (group.length > 0 && group.length <= exampleValuesMax) groups.push(group);
    } else if (isWord(token)) words.add(token);
    else
      add({
        value: valueOf(token),
        isKey: /^\s*(?::(?!:)|=>)/.test(text.slice(match.index + token.length, match.index + token.length + 4)),
      });
  }
  return { literals, words, groups };
}

/** Brackets that are nested deeper are no tables of examples. */
const bracketsMax = 12;

const fixed: Readonly<Record<string, string>> = {
  true: "true",
  True: "true",
  false: "false",
  False: "false",
  null: "null",
  None: "null",
  nil: "null",
  undefined: "null",
};

const isWord = (token: string): boolean => /^[\p{L}_$]/u.test(token) && fixed[token] === undefined;

function valueOf(token: string): string {
  if (/^\d/.test(token)) return `number ${token.replaceAll("_", "").replace(/[.]0+$|(?<=\d)[nLufi]\w*$/, "")}`;
  if (/^["'`]/.test(token)) return `text ${token.replace(/^("""|'''|["'`])([\s\S]*)\1$/, "$2")}`;
  return fixed[token] ?? token.replaceAll(/\s/g, "");
}

/** Where `'` begins a single character or a lifetime, it does not begin a text. */
function lexer(path: string): RegExp {
  const comment = /\.(?:py|rb)$/.test(path) ? "#[^\\n]*" : "\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?\\*\\/";
  const single = /\.(?:rs|go|java)$/.test(path)
    ? "'(?:\\\\.|[^'\\\\\\n])'"
    : "'''[\\s\\S]*?'''|'(?:\\\\.|[^'\\\\\\n])*'";
  const text = '"""[\\s\\S]*?"""|"(?:\\\\.|[^"\\\\\\n])*"|`(?:\\\\.|[^`\\\\])*`';
  const word = "[\\p{L}_$][\\p{L}\\p{N}_$]*";
  return new RegExp(`${comment}|${text}|${single}|\\d[\\w.]*|${word}|\\[\\s*\\]|\\{\\s*\\}|[\\[\\](){}]`, "gu");
}
