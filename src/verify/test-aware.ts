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
      ...byWhat.flatMap((what) => told(what, linesWith(lines, { what, language }))),
      ...(language === "rust" ? told(asks, testOnlyLines(root, lines)) : []),
      ...told(
        "ends the program, as if all were well, when it is only loaded",
        earlyExits(root, { language, path, text: after }),
      ),
    ];
  });
}

/** A method for equality whose answer is always yes, in Python, Java and Ruby. */
function equalToAll(code: string): number[] {
  const pattern =
    /\bdef __eq__\([^()]*\)[^:\n]*:\s*return True[ \t]*(?=[\r\n]|$)|\bboolean equals\([^()]*\)\s*\{\s*return true;|\bdef ==\s*\(?\w+\)?\s+true\b/g;
  return [...code.matchAll(pattern)].flatMap(({ index, 0: text }) => {
    const first = code.slice(0, index).split("\n").length;
    return text.split("\n").map((_, at) => first + at);
  });
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
