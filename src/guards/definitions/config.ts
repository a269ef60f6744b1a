import { posix } from "node:path";
import { languageOf } from "../../syntax/language.ts";
import { isGlob } from "../../plan/paths.ts";
import { protectedKind } from "../../plan/protected.ts";
import { addedLines, changedLines } from "../evidence-lines.ts";
import { dependenciesOf, isKnownModule } from "./dependencies.ts";
import { heardPrograms, reachesNamed } from "./heard.ts";
import { settingsOf } from "./settings.ts";
import type { Settings } from "../../syntax/settings.ts";
import { linesOfBoth, runnerOf, unreadable, type Finding, type Subject } from "./subject.ts";
import { weaknesses, type Weakness } from "./weaker.ts";

/** Settings of a program, wherever they stand. */
interface Place {
  /** The file's name, in lower case. */
  readonly file: RegExp;
  /** Which of its settings, by key. */
  readonly keys: RegExp;
  /** Programs that obey them; any, where tests are concerned. */
  readonly programs: RegExp;
}

const any = /./;
const typeCheckers = /^(?:tsc|vue-tsc|tsgo|tsd|tsup|ts-node|tsx|vitest|jest)$/;
const linters = /^(?:eslint|oxlint|biome|xo|standard|ruff|flake8|mypy|pyright)$/;

const places: readonly Place[] = [
  { file: /^package\.json$/, keys: /^(?:jest|vitest|mocha|ava|nyc|c8|tap|workspaces)\b/, programs: any },
  { file: /^package\.json$/, keys: /^(?:eslintConfig|xo)\b/, programs: linters },
  { file: /^pyproject\.toml$/, keys: /^tool\.(?:pytest|coverage|tox|nox)\b/, programs: any },
  { file: /^pyproject\.toml$/, keys: /^tool\.(?:ruff|mypy|pyright|flake8)\b/, programs: linters },
  { file: /^setup\.cfg$/, keys: /^(?:tool:pytest|coverage|flake8|mypy)/, programs: any },
  { file: /^tox\.ini$/, keys: any, programs: /^(?:tox|pytest|py\.test)$/ },
  { file: /^\.?pytest\.(?:ini|toml)$|^\.coveragerc$/, keys: any, programs: any },
  { file: /^cargo\.toml$/, keys: /^(?:lib|test\[|bin\[|package\.auto|workspace|lints)/, programs: /^cargo$/ },
  { file: /^config(?:\.toml)?$/, keys: any, programs: /^cargo$/ },
  {
    file: /^(?:vitest|vite|jest|playwright|cypress|karma|ava|wdio)\.(?:config|conf|workspace)\b|^\.(?:mocharc|nycrc|c8rc|taprc)|^(?:jasmine|cypress)\.json$/,
    keys: any,
    programs: any,
  },
  { file: /^[tj]sconfig.*\.json$/, keys: any, programs: typeCheckers },
  { file: /^\.?eslint|^\.?oxlintrc|^biome\.jsonc?$/, keys: any, programs: linters },
];

/** Settings of runners, type checkers and linters that a task may change: they must not prove less than before. */
export async function configFindings(subject: Subject): Promise<Finding[]> {
  const name = posix.basename(subject.path).toLowerCase();
  const obeyed = places.filter(({ file, programs }) => file.test(name) && runnerOf(subject, programs) !== undefined);
  if (obeyed.length === 0 || subject.after === null) return [];
  const [was, is] = await Promise.all([
    settingsOf(subject.path, subject.before),
    settingsOf(subject.path, subject.after),
  ]);
  if (was === undefined || is === undefined) return workedOut(subject);
  if ("fault" in is) return [unreadable(subject, is)];
  const isObeyed = (key: string): boolean => obeyed.some(({ keys }) => keys.test(key));
  const known = dependenciesOf(await subject.read(posix.join(posix.dirname(subject.path), "package.json")));
  const isNew = subject.before === null || "fault" in was;
  const old: Settings = "fault" in was ? new Map() : was;
  const found = [...weaknesses(old, is, isNew), ...redirects(old, is, known)]
    .filter(({ key }) => isObeyed(key))
    .filter((weakness) => !selectsWhereTestsLie(weakness, subject));
  return [
    ...found.map(({ key, how }) => ({
      why: `was changed, but ${key} ${how}: checks would prove less. Put it back.`,
      lines: linesFor(subject, key),
    })),
    ...meddling(subject),
  ];
}

/** A first selection of folders, of a runner that is heard: tests that no longer run show when the check is run. */
function selectsWhereTestsLie({ key, introduces }: Weakness, subject: Subject): boolean {
  if (
    introduces === undefined ||
    introduces.length === 0 ||
    !/(?:^|\.)(?:include|testMatch|roots|testpaths)$/.test(key)
  )
    return false;
  if (/mocha|ava|playwright|cypress|karma|wdio/i.test(`${subject.path} ${key}`)) return false;
  const places = introduces.map((place) => place.replace(/^(?:<rootDir>|\.)\//, "").replace(/\/$/, ""));
  return (
    runnerOf(subject, heardPrograms) !== undefined &&
    places.every(isWhereTestsLie) &&
    reachesNamed(places, subject.task.files)
  );
}

/** A folder for tests, or every file in one that is named like a test. */
function isWhereTestsLie(place: string): boolean {
  const last = posix.basename(place);
  const sample = place
    .replaceAll("**/", "")
    .replaceAll(/\{([^,}]*)[^}]*\}/g, "$1")
    .replaceAll("*", "x");
  if (!isGlob(place)) return languageOf(place) === undefined && protectedKind(`${sample}/x.py`, []) === "test";
  return last.startsWith("*") && protectedKind(sample, []) === "test";
}

/** The lines that name a setting; of a list over several lines, all that changed. */
function linesFor(subject: Subject, key: string): Finding["lines"] {
  const own = linesOfBoth(subject, key.split(".").at(-1) ?? key);
  return own.length > 0 ? own : changedLines(subject.before, subject.after);
}

const aliases = /(?:^|\.)(?:alias|moduleNameMapper|paths)\.(.+)$/;

/** Names that led to a module and would lead to another one: tests would meet a stand-in. */
function redirects(
  was: Settings,
  is: Settings,
  known: ReadonlySet<string>,
): { readonly key: string; readonly how: string }[] {
  return [...is].flatMap(([key, target]) => {
    const old = was.get(key);
    if (JSON.stringify(old) === JSON.stringify(target)) return [];
    const name = aliases.exec(key)?.[1];
    if (name !== undefined)
      return old !== undefined || isKnownModule(name, known) ? [{ key, how: `leads to \`${String(target)}\`` }] : [];
    if (!/(?:^|\.)alias$/.test(key) || typeof target === "string") return [];
    const names = target
      .filter((item) => old?.includes(item) !== true)
      .map((item) => /\bfind["']?\s*:\s*["'`/]([^"'`]+)/.exec(item)?.[1] ?? "x");
    return names.some((found) => isKnownModule(found.replace(/\/[a-z]*$/, ""), known))
      ? [{ key, how: "leads elsewhere" }]
      : [];
  });
}

/** Settings that a program works out: what was there stays. */
function workedOut(subject: Subject): Finding[] {
  const isScript = languageOf(subject.path) !== undefined;
  const gone = changedLines(subject.before, subject.after).filter(
    ({ sign, text }) => sign === "-" && !/^\s*(?:\/\/|\/?\*|import\b)/.test(text),
  );
  if (!isScript || gone.length === 0) return [];
  return [
    {
      why: "was changed, but lines that are gone may decide what checks prove. Put them back, and add new lines beside them.",
      lines: gone,
    },
  ];
}

/** Statements that change settings after they were written out. */
function meddling({ path, before, after }: Subject): Finding[] {
  if (languageOf(path) === undefined || before === null) return [];
  const pattern =
    /\.(?:exclude|include|testMatch|testPathIgnorePatterns|testIgnore|passWithNoTests|retry|retries|bail|alias|rules|projects)\b\s*(?:\.(?:push|unshift|splice|pop|shift)\b|=(?!=)|\[)|\bprocess\.exit\(\s*0?\s*\)/;
  const lines = addedLines(before, after).filter(({ text }) => pattern.test(text) && !/^\s*\/\//.test(text));
  return lines.length === 0
    ? []
    : [
        {
          why: "was changed, but a new statement changes settings that decide what checks prove. Write the values into the settings themselves.",
          lines,
        },
      ];
}
