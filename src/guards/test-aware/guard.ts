import { posix } from "node:path";
import { languageOf, type Language } from "../../syntax/language.ts";
import { withTree, type Node } from "../../syntax/parse.ts";
import { syntaxOf, type Syntax } from "../../syntax/syntax.ts";
import type { GuardEvidence } from "../../engine/evidence.ts";
import { guardsLimits } from "../limits.ts";
import { protectedKind } from "../../plan/protected.ts";
import { addedLines, evidenceLines } from "../evidence-lines.ts";
import type { ChangedText, ContentGuard } from "../content-guard.ts";
import { blindEqualities } from "./equality.ts";
import { earlyExits } from "./exits.ts";
import { namedTests, type Named } from "./reads.ts";
import { riggedLines } from "./rigged.ts";
import { testOnlyLines } from "./rust.ts";
import { asks, deafens, ends, equalsAll, hides, looks, signs } from "./signs.ts";

/** Looks, in what is no test, for code that asks whether it is tested, that reads tests, or that ends or deafens the runner. */
export const guardTestAware: ContentGuard = async ({ changes }, readBase) => {
  const isThere = async (path: string): Promise<boolean> =>
    changes.some((change) => change.path === path && change.after !== null) || (await readBase(path)) !== null;
  const found = await Promise.all(changes.map((change) => inspect(change, isThere)));
  return found.flat();
};

async function inspect(change: ChangedText, isThere: IsThere): Promise<GuardEvidence[]> {
  const { path, before, after } = change;
  const language = languageOf(path);
  const kind = protectedKind(path, []);
  if (after === null || language === undefined || kind === "test") return [];
  const added = addedLines(before, after);
  // Runner's settings may know that they are for tests; they may not deafen them.
  const isSetting = kind === "runner-config" || /\.config\.[cm]?[jt]s$/.test(posix.basename(path));
  const violations = (what: string, lines: readonly number[]): GuardEvidence[] => {
    const shown = added.filter(({ line }) => lines.includes(line));
    if (shown.length === 0) return [];
    const why = `${what} in its new lines. Make it behave the same in tests and elsewhere.`;
    return [{ guard: "test-aware", path, why, evidence: evidenceLines(shown) }];
  };
  const counts = (what: string): boolean => !isSetting || (what !== asks && what !== looks);
  const seen = await withTree(after, language, (root) => {
    const nodes = syntaxOf(root, after);
    const source = { root, nodes, language, path, text: after };
    return { shown: shownBy(source), named: isSetting ? [] : namedTests(nodes, path, language) };
  });
  if (seen === undefined) return [{ guard: "test-aware", path, why: tangled }];
  const { shown, named } = seen;
  const read = named.filter(({ lines }) => added.some(({ line }) => lines.includes(line)));
  return [
    ...shown.filter(({ what }) => counts(what)).flatMap(({ what, lines }) => violations(what, lines)),
    ...violations("reads a test", await linesThere(read, isThere)),
  ];
}

const tangled =
  "is too tangled to parse, so what it does cannot be checked. Write simpler statements, or split the file.";

type IsThere = (path: string) => Promise<boolean>;

async function linesThere(named: readonly Named[], isThere: IsThere): Promise<number[]> {
  const found = await Promise.all(
    named.map(async ({ lines, paths }) => ((await Promise.all(paths.map(isThere))).includes(true) ? lines : [])),
  );
  return found.flat();
}

interface Source {
  readonly root: Node;
  readonly nodes: readonly Syntax[];
  readonly language: Language;
  readonly path: string;
  readonly text: string;
}

interface Shown {
  readonly what: string;
  readonly lines: readonly number[];
}

function shownBy({ root, nodes, language, path, text }: Source): Shown[] {
  const lines = codeOnly(root, text).split(/\r?\n/);
  const withSign = (what: string): number[] => linesWith(lines, { what, language });
  return [
    { what: equalsAll, lines: blindEqualities(nodes) },
    { what: hides, lines: language === "python" ? hidingLines(text) : [] },
    { what: asks, lines: [...withSign(asks), ...(language === "rust" ? testOnlyLines(root, lines) : [])] },
    { what: looks, lines: withSign(looks) },
    { what: deafens, lines: [...withSign(deafens), ...rigged(nodes, language)] },
    { what: ends, lines: earlyExits(root, { language, path, text }) },
  ];
}

function rigged(nodes: readonly Syntax[], language: Language): number[] {
  if (language === "python") return riggedLines(nodes, "python");
  return /^(?:javascript|typescript|tsx)$/.test(language) ? riggedLines(nodes, "javascript") : [];
}

function linesWith(
  lines: readonly string[],
  { what, language }: { readonly what: string; readonly language: Language },
): number[] {
  const its = signs.filter((sign) => sign.what === what && sign.of.test(language));
  const patterns = its.filter(
    (sign) => sign.with === undefined || lines.some((line) => sign.with !== undefined && isIn(line, [sign.with])),
  );
  return lines.flatMap((line, at) =>
    isIn(
      line,
      patterns.map(({ pattern }) => pattern),
    )
      ? [at + 1]
      : [],
  );
}

/** A long line is looked at in pieces, because the time of some patterns grows with its square. */
function isIn(line: string, patterns: readonly RegExp[]): boolean {
  for (let at = 0; at === 0 || at < line.length; at += guardsLimits.lineChunkChars) {
    const piece = line.slice(at, at + 2 * guardsLimits.lineChunkChars);
    if (patterns.some((pattern) => pattern.test(piece))) return true;
  }
  return false;
}

/** Blanks out comments, and strings that are prose, and keeps all lines: what they mention is not done. */
function codeOnly(root: Node, text: string): string {
  const strings = root.descendantsOfType(stringTypes).filter((node) => node !== null && isProse(node));
  const documentation = root.descendantsOfType("expression_statement").map((node) => node?.firstNamedChild ?? null);
  const alone = documentation.filter((node) => node !== null && stringTypes.includes(node.type));
  const blanks = [...root.descendantsOfType(comments), ...strings, ...alone].flatMap((node) => node ?? []);
  blanks.sort((a, b) => a.startIndex - b.startIndex);
  let shown = "";
  let at = 0;
  for (const node of blanks) {
    if (node.startIndex < at) continue;
    shown += text.slice(at, node.startIndex) + text.slice(node.startIndex, node.endIndex).replace(/[^\r\n]/g, " ");
    at = node.endIndex;
  }
  return shown + text.slice(at);
}

const comments = ["comment", "line_comment", "block_comment", "hash_bang_line"];
const stringTypes = [
  "string",
  "template_string",
  "string_literal",
  "raw_string_literal",
  "interpreted_string_literal",
  "text_block",
  "heredoc_body",
];

/** Words with blanks between them are prose. Long strings may contain code, so they are read as code. */
function isProse(node: Node): boolean {
  if (node.endIndex - node.startIndex > guardsLimits.guardedLineCharsMax) return false;
  return /\w\s+\w/.test(node.text) && !/[$#]?\{/.test(node.text);
}

/** Python reads a file as its first lines say; in most encodings but these, plain letters can mean others. */
function hidingLines(text: string): number[] {
  const names = text.split("\n", 2).map((line) => /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1]);
  return names.flatMap((name, at) => (name === undefined || plainEncoding.test(name) ? [] : [at + 1]));
}

const plainEncoding =
  /^(?:utf[-_]?8(?:-sig)?|(?:us-?)?ascii|latin[-_]?\d+|iso[-_]?8859[-_]\d+|cp\d+|windows-\d+|euc[-_]\w+|gbk|gb\d+|shift_jis|big5)$/i;
