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
import { codeOnly } from "./test-aware-text.ts";

/** Looks, in what is no test, for code that asks whether it is being tested, or that ends or deafens the runner. */
export const guardTestAware: ContentGuard = async ({ changes }) => {
  const found = await Promise.all(changes.map(inspect));
  return found.flat();
};

/** A sign, the languages it is one in, and what it does. */
interface Sign {
  readonly of: RegExp;
  readonly pattern: RegExp;
  readonly what: string;
  /** What the file must hold besides, where the line alone could be honest. */
  readonly with?: RegExp;
}

const any = /./;
const scripts = /^(?:javascript|typescript|tsx)$/;
const python = /^python$/;
const asks = "asks whether a test is running";
const deafens = "changes what tests rely on";

const looksAtStack = /\b(?:inspect\.stack|sys\._getframe|currentframe|traceback\.(?:extract|format)_stack)\b/;

const signs: readonly Sign[] = [
  {
    of: python,
    what: asks,
    with: looksAtStack,
    pattern:
      /["'][^"'\s]*test[^"'\s]*["']\s+(?:not\s+)?in\s+\S*(?:filename|function|name)\b|\.(?:filename|function)\b[^#]*["'][^"'\s]*test/,
  },
  {
    of: any,
    what: asks,
    pattern:
      /\b(?:NODE_TEST_CONTEXT|VITEST(?:_WORKER_ID|_POOL_ID|_MODE)?|JEST_WORKER_ID|PYTEST_(?:CURRENT_TEST|VERSION|XDIST_\w+)|RUST_TEST_THREADS|NEXTEST(?:_\w+)?|MOCHA_\w+|__vitest_\w+__|__coverage__)\b(?!["']?\s*:(?!:))/,
  },
  {
    of: any,
    what: "looks for what judges it",
    pattern: /\bROOM_(?:WITNESS|ID)\b(?!["']?\s*:|=\$)|["'`\w}]\/environ["'`]/,
  },
  {
    of: scripts,
    what: asks,
    pattern: /\bprocess\.(?:argv|execArgv)\b[^;]*["'`]--?(?:test|experimental-test\w*)["'`]/,
  },
  {
    of: scripts,
    what: asks,
    pattern:
      /\b(?:process\.)?argv\b[^;]*(?:\b(?:includes|test|match|some|indexOf|endsWith)\b)[^;]*\b(?:vitest|jest|mocha|\.test\.|_test|node:test|spec)/,
  },
  {
    of: scripts,
    what: asks,
    pattern:
      /typeof\s+(?:(?:globalThis|global|window)\.)?(?:describe|it|test|expect|jest|vi|beforeEach)\b\s*[!=]==?|\b(?:globalThis|global)\.(?:describe|it|expect|jest|vi|beforeEach)\b/,
  },
  {
    of: scripts,
    what: asks,
    pattern: /\bstack\b[^;]*(?:\.test\.|\.spec\.|["'`/](?:tests?|__tests__|node:test|vitest|jest|mocha)\b|_test)/,
  },
  {
    of: python,
    what: asks,
    pattern:
      /["'](?:pytest|_pytest|unittest|nose)["']\s+(?:not\s+)?in\s+sys\.modules|sys\.modules\.get\(\s*["'](?:pytest|_pytest|unittest)["']|["'](?:pytest|unittest|test)["']\s+(?:not\s+)?in\s+(?:sys\.argv|str\(sys\.argv)/,
  },
  {
    of: python,
    what: asks,
    pattern:
      /(?:inspect\.stack|sys\._getframe|traceback\.(?:extract|format)_stack|currentframe)\b.*(?:test|pytest)|(?:co_filename|co_name)\b[^#]*["'](?:test_|_test|tests?\b|pytest|conftest|unittest)/,
  },
  {
    of: /^go$/,
    what: asks,
    pattern:
      /flag\.Lookup\(\s*["`]test\.|\btesting\.Testing\(\)|os\.Args\b[^;]*["`][^"`]*(?:\.test|-test\.)|runtime\.Caller\b.*_test/,
  },
  {
    of: /^java$/,
    what: asks,
    pattern: /getStackTrace\(\)[^;]*(?:junit|Test)|Class\.forName\(\s*"org\.(?:junit|testng)/,
  },
  {
    of: /^ruby$/,
    what: asks,
    pattern:
      /defined\?\(\s*(?:RSpec|Minitest|Test::Unit)|\bcaller(?:_locations)?\b.*(?:_spec|_test|rspec|minitest)|\$(?:0|PROGRAM_NAME)\b.*(?:rspec|minitest)/,
  },
  { of: /^rust$/, what: asks, pattern: /current_exe\(\)[^;]*deps|thread::current\(\)\s*\.name\(\)[^;]*test/ },
  {
    of: scripts,
    what: deafens,
    pattern:
      /\bassert(?:\.strict)?\.(?:\w*[eE]qual|ok|throws|rejects|match|fail)\s*=(?!=)|\bObject\.is\s*=(?!=)|\b(?:Module|module)\._(?:load|resolveFilename)\s*=(?!=)|\bModule\.prototype\.require\s*=(?!=)|\b(?:globalThis|global)\.(?:expect|it|test|describe|assert)\s*=(?!=)|\bprocess\.(?:exit|reallyExit|emit)\s*=(?!=)|defineProperty\(\s*process\s*,\s*["'`](?:exitCode|exit)/,
  },
  {
    of: python,
    what: deafens,
    pattern:
      /\bTestCase\.(?:assert\w+|fail\w*|run)\s*=(?!=)|setattr\(\s*(?:unittest\.)?TestCase|\bbuiltins\.(?:AssertionError|__import__)\s*=(?!=)|\bunittest\.mock\._\w+\s*=(?!=)|_pytest\.\w+(?:\.\w+)*\s*=(?!=)|\.outcome\s*=\s*["']passed|sys\.modules\[\s*["'](?:pytest|_pytest|unittest)/,
  },
  {
    of: python,
    what: deafens,
    pattern:
      /\bitems\[:\]\s*=|\bitems\.clear\(\)|\bcollect_ignore(?:_glob)?\b\s*[+=]|\bsession\.exitstatus\s*=(?!=)|\bpytest\.exit\(/,
  },
];

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
    const byWhat = [asks, "looks for what judges it", deafens].filter((what) => !isSetting || what === deafens);
    return [
      ...told("makes objects that equal everything", equalToAll(code)),
      ...told(
        "is in an encoding in which its text does not say what it does",
        language === "python" ? hidingLines(after) : [],
      ),
      ...byWhat.flatMap((what) => told(what, linesWith(lines, { what, language }))),
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
    (sign) => sign.with === undefined || lines.some((line) => isIn(line, [sign.with ?? any])),
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
