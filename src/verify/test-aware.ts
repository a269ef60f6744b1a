import { posix } from "node:path";
import { languageOf, type Language } from "../code/language.ts";
import { withTree } from "../code/parse.ts";
import type { GuardEvidence } from "../engine/evidence.ts";
import { limits } from "../limits.ts";
import { protectedKind } from "../plan/protected.ts";
import { addedLines } from "./changed-lines.ts";
import type { ChangedText, ContentGuard } from "./contents.ts";
import { evidenceLines } from "./evidence-lines.ts";
import { earlyExits } from "./test-aware-exits.ts";
import { testOnlyLines } from "./test-aware-rust.ts";
import { asks, deafens, looks } from "./test-aware-sign.ts";
import { signs } from "./test-aware-signs.ts";
import { codeOnly } from "./test-aware-text.ts";

/** Looks, in what is no test, for code that asks whether it is being tested, or that ends or deafens the runner. */
export const guardTestAware: ContentGuard = async ({ changes }) => {
  const found = await Promise.all(changes.map(inspect));
  return found.flat();
};

async function inspect(change: ChangedText): Promise<GuardEvidence[]> {
  const { path, before, after } = change;
  const language = languageOf(path);
  const kind = protectedKind(path, []);
  if (after === null || language === undefined || kind === "test") return [];
  const added = addedLines(before, after);
  // Runner's settings may know that they are for tests; they may not deafen them.
  const isSetting = kind === "runner-config" || /\.config\.[cm]?[jt]s$/.test(posix.basename(path));
  const told = (what: string, lines: readonly number[]): GuardEvidence[] => {
    const shown = added.filter(({ line }) => lines.includes(line));
    if (shown.length === 0) return [];
    return [
      {
        guard: "test-aware",
        path,
        why: `${what} in its new lines. Let it do the same whoever runs it.`,
        evidence: evidenceLines(shown),
      },
    ];
  };
  return await withTree(after, language, (root) => {
    const code = codeOnly(root, after);
    const lines = code.split(/\r?\n/);
    const byWhat = [asks, looks, deafens].filter((what) => !isSetting || what === deafens);
    return [
      ...told("makes objects that equal everything", equalToAll(code)),
      ...told(
        "is in an encoding in which its text does not say what it does",
        language === "python" ? hidingLines(after) : [],
      ),
      ...byWhat.flatMap((what) => told(what, linesWith(lines, { what, language }))),
      ...(language === "rust" ? told(asks, testOnlyLines(root, lines)) : []),
      ...told(
        "ends the program, as if all were well, when it is only loaded",
        earlyExits(root, { language, path, text: after }),
      ),
    ];
  });
}

/** Python reads a file as its first lines say; in most encodings but these, plain letters can mean others. */
function hidingLines(text: string): number[] {
  const names = text.split("\n", 2).map((line) => /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1]);
  return names.flatMap((name, at) => (name === undefined || plainEncoding.test(name) ? [] : [at + 1]));
}

const plainEncoding =
  /^(?:utf[-_]?8(?:-sig)?|(?:us-?)?ascii|latin[-_]?\d+|iso[-_]?8859[-_]\d+|cp\d+|windows-\d+|euc[-_]\w+|gbk|gb\d+|shift_jis|big5)$/i;

/** A method for equality that does not look at what it compares with, in Python, Java and Ruby. */
function equalToAll(code: string): number[] {
  const fixed = /\bboolean equals\([^()]*\)\s*\{\s*return true;|\bdef ==\s*\(?\w+\)?\s+true\b/g;
  const python =
    /\b__eq__\s*=\s*lambda\s+\w+\s*,\s*(\w+)\s*:(.*)|\bdef __eq__\(\s*\w+\s*,\s*(\w+)\b[^()]*\)[^:\n]*:\s*return\b(.*)/g;
  const blind = [...code.matchAll(python)].filter(([, name, value, other, answer]) =>
    isBlind(value ?? answer ?? "", name ?? other ?? ""),
  );
  return [...code.matchAll(fixed), ...blind].flatMap(({ index, 0: text }) => {
    const first = code.slice(0, index).split("\n").length;
    return text.split("\n").map((_, at) => first + at);
  });
}

/** Whether an answer on one line is made without the other thing, and is not a refusal to answer. */
function isBlind(answer: string, other: string): boolean {
  const isWhole =
    (answer.match(/[([{]/g)?.length ?? 0) === (answer.match(/[)\]}]/g)?.length ?? 0) && !answer.includes("\\");
  return isWhole && !/^\s*(?:NotImplemented|False)?\s*$/.test(answer) && !new RegExp(`\\b${other}\\b`).test(answer);
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
  for (let at = 0; at === 0 || at < line.length; at += limits.lineChunkChars) {
    const piece = line.slice(at, at + 2 * limits.lineChunkChars);
    if (patterns.some((pattern) => pattern.test(piece))) return true;
  }
  return false;
}
