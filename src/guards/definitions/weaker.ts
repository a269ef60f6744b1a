import type { Settings } from "../../syntax/settings.ts";
import { guardsLimits } from "../limits.ts";

/** A setting that makes tests, types or rules prove less than before. */
export interface Weakness {
  readonly key: string;
  /** Read after the key: "leaves out `src/a.test.ts`". */
  readonly how: string;
  /** What a selection names where there was none before. */
  readonly introduces?: readonly string[];
}

type Value = string | readonly string[] | undefined;

interface Pair {
  readonly key: string;
  readonly was: Value;
  readonly is: Value;
  /** Whether the file is new: then there is nothing that it narrows. */
  readonly isNew: boolean;
  readonly all: Settings;
}

/** Compares settings one by one; a change that demands more, or that has nothing to do with it, is none. */
export function weaknesses(was: Settings, is: Settings, isNew: boolean): Weakness[] {
  const keys = new Set([...was.keys(), ...is.keys()]);
  return [...keys].flatMap((key) => {
    const pair = { key: key.replace(/#+$/, ""), was: was.get(key), is: is.get(key), isNew, all: is };
    if (same(pair.was, pair.is)) return [];
    const how = rules.map((rule) => rule(pair)).find((found) => found !== undefined);
    const isFirst = pair.was === undefined && introducedNarrows.test(pair.key);
    return how === undefined ? [] : [{ key: pair.key, how, ...(isFirst && { introduces: listed(pair.is) }) }];
  });
}

type Rule = (pair: Pair) => string | undefined;

const rules: readonly Rule[] = [
  lenient,
  stricterBefore,
  moreTries,
  lowerThreshold,
  leftOut,
  narrowed,
  options,
  ruleSeverity,
  replaced,
];

const notTests =
  /(?:^|\.)(?:optimizeDeps|coverage|build|server|ssr|typecheck|package|tool\.(?:setuptools|poetry|hatch|black|isort)|watch|compilerOptions)\b/;
const excludes =
  /(?:^|\.)(?:exclude|excludes|ignore|ignores|ignorePatterns|testPathIgnorePatterns|testIgnore|modulePathIgnorePatterns|grepInvert|norecursedirs|collect_ignore(?:_glob)?|omit|per-file-ignores(?:\..+)?|extend-(?:ignore|exclude)|exclude_lines|coveragePathIgnorePatterns|workspace\.exclude)$/i;
const includes =
  /(?:^|\.)(?:include|includes|testMatch|testRegex|testDir|roots|testpaths|python_(?:files|functions|classes)|spec|specs|files|projects|workspaces|workspace\.members|select|env_?list)$/i;
const introducedNarrows =
  /(?:^|\.)(?:include|testMatch|testRegex|testDir|roots|testpaths|python_(?:files|functions|classes)|spec|default-members)$/i;

/** Switches that let checks pass with less. */
const lenientSwitch =
  /(?:^|\.)(?:passWithNoTests|pass-with-no-tests|allowOnly|dangerouslyIgnoreUnhandledErrors|noCheck|automock|ignore_outcome|ignore_errors|ignoreFailures|allow-uncaught|invert)$/i;
const offSwitch =
  /(?:^|\.)(?:harness|autotests|forbidOnly|forbid-only|failOnEmptyTestSuite|check-coverage)$|^(?:lib|test\[\d+\]|bin\[\d+\])\.test$/i;

function lenient({ key, was, is }: Pair): string | undefined {
  if (lenientSwitch.test(key) && isOn(is) && !isOn(was)) return "is switched on";
  if (offSwitch.test(key) && is === "false" && was !== "false") return "is switched off";
  if (
    /^compilerOptions\.(?:skipLibCheck|allowUnreachableCode|allowUnusedLabels)$/.test(key) &&
    isOn(is) &&
    was === "false"
  )
    return "is switched on";
  return /^test\[\d+\]\.required-features$/.test(key) && is !== undefined ? "lets the test be left out" : undefined;
}

const strictOption =
  /^compilerOptions\.(?:strict\w*|no(?:Implicit\w+|Unused\w+|Unchecked\w+|FallthroughCasesInSwitch|PropertyAccess\w+)|exactOptionalPropertyTypes|alwaysStrict|useUnknownInCatchVariables|checkJs)$|(?:^|\.)(?:xfail_strict|forbidOnly|forbid-only|strict|strict_optional|disallow_\w+|check_untyped_defs|warn_return_any|warn_unused_ignores|check-coverage)$/;
const partOfStrict = /^compilerOptions\.(?:strict\w+|noImplicit(?:Any|This)|alwaysStrict|useUnknownInCatchVariables)$/;

function stricterBefore({ key, was, is, all }: Pair): string | undefined {
  if (!strictOption.test(key) || !isOn(was) || isOn(is)) return undefined;
  return is === undefined && partOfStrict.test(key) && isOn(all.get("compilerOptions.strict"))
    ? undefined
    : "is no longer on";
}

function moreTries({ key, was, is, isNew }: Pair): string | undefined {
  if (isNew || !/(?:^|\.)(?:retry|retries|reruns|bail|maxFailures|max-failures|maxfail)$/.test(key)) return undefined;
  const [old, now] = [Number(was ?? 0), is === "true" ? 1 : Number(is ?? 0)];
  return Number.isNaN(now) || now > (Number.isNaN(old) ? 0 : old) ? `is now ${String(is)}` : undefined;
}

function lowerThreshold({ key, was, is }: Pair): string | undefined {
  if (
    was === undefined ||
    !/threshold|fail_under|(?:^|\.)(?:nyc|c8)\.(?:lines|branches|functions|statements)$|^(?:lines|branches|functions|statements)$/i.test(
      key,
    )
  )
    return undefined;
  const [old, now] = [Number(was), Number(is ?? 0)];
  return !Number.isNaN(old) && !(now >= old)
    ? `falls from ${String(was)} to ${is === undefined ? "nothing" : String(is)}`
    : undefined;
}

function leftOut({ key, was, is, isNew }: Pair): string | undefined {
  if (isNew || !excludes.test(key) || (notTests.test(key) && !/coverage|omit/i.test(key))) return undefined;
  const known = new Set(listed(was).flatMap(alternativesOf));
  const more = listed(is).filter(
    (item) => !alternativesOf(item).every((one) => known.has(one) || isHarmlessExclude(one)),
  );
  return more.length === 0 ? undefined : `leaves out \`${more.join("`, `")}\``;
}

/**
 * Lists everything that a glob, a regular expression or a comma-separated list names, one by one: `(^|/)(build|src)/` is
 * `^build/`, `/build/`, `^src/` and `/src/`. An item with too many alternatives stays as it is.
 */
function alternativesOf(item: string): string[] {
  const done: string[] = [];
  const queue = [item.replaceAll(/\[\\*\/\\*\]|\\\//g, "/")];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const group = /@?\((?:\?:)?([^()]*)\)(?![?*+{])|\{([^{}]*)\}/.exec(next);
    if (group === null) done.push(...next.split(/[|,]/));
    else {
      const [head, tail] = [next.slice(0, group.index), next.slice(group.index + group[0].length)];
      const parts = group[1]?.split("|") ?? group[2]?.split(",") ?? [];
      queue.push(...parts.map((part) => head + part + tail));
    }
    if (queue.length + done.length > guardsLimits.excludeAlternativesMax) return [item];
  }
  return done;
}

const harmlessName =
  /^(?:node_modules|dist|build|out|coverage|\.git|\.cache|vendor|\.venv|\.tox|target|\.next|\.output|storybook-static|\*?\.d\.[cm]?ts|(?:\*\.|__)?generated(?:__|\.\*|\.\w+)?)$/i;

/**
 * Whether one alternative of what is left out is about nothing that tests, types or rules are asked of: one of its
 * folders is, by its whole name, a place for what others wrote or what a build makes.
 */
function isHarmlessExclude(alternative: string): boolean {
  if (/^\.{3}configDefaults(?:\.coverage)?\.exclude$/.test(alternative)) return true;
  // What is optional, negated or a class of characters may match anything.
  if (/^!|[()[\]{}+]|(?<!\/)\?/.test(alternative)) return false;
  const parts = alternative
    .replaceAll("\\b", "")
    .replaceAll(/\\(?=[^\w\s])/g, "")
    .split(/\/\??/)
    .map((part) =>
      part
        .replace(/^\^/, "")
        .replace(/\$$/, "")
        .replace(/^\.\*(?=.)/, "")
        .replace(/(?<=.)\.\*$/, ""),
    );
  return !parts.includes("..") && parts.some((part) => harmlessName.test(part));
}

function narrowed({ key, was, is, isNew }: Pair): string | undefined {
  if (isNew || notTests.test(key)) return undefined;
  if (/(?:^|\.)(?:grep|fgrep|testNamePattern|default-filter)$/.test(key) && is !== undefined)
    return `selects only \`${listed(is).join(" ")}\``;
  if (was === undefined)
    return introducedNarrows.test(key) ? `is new and selects only \`${listed(is).join("`, `")}\`` : undefined;
  if (!includes.test(key)) return undefined;
  const kept = new Set(listed(is));
  const gone = listed(was).filter((item) => !kept.has(item));
  return gone.length === 0 || (is === undefined && introducedNarrows.test(key))
    ? undefined
    : `no longer selects \`${gone.join("`, `")}\``;
}

const narrowingOption =
  /^(?:-k|-m|--ignore(?:-glob)?|--deselect|-p|--co|--collect-only|--maxfail|-x|--exitfirst|--lf|--last-failed|--reruns|--no-cov|--sw|--stepwise|--passWithNoTests|--exclude|--tag)(?:=|$)/;
/** Short options of pytest may have their value in the same word, or stand behind others: `-kfast`, `-qx`. */
const attachedOption = /^-[qvsl]*(?:[kmp]|x$)/;
const demandingOption = /^(?:--strict\S*|--cov-fail-under\S*|-W|--error-for-skips)/;

/** Compares options of a runner that are written in its settings. */
function options({ key, was, is }: Pair): string | undefined {
  if (!/(?:^|\.)(?:addopts|node-option|args|filterwarnings)$/.test(key)) return undefined;
  const [old, now] = [wordsOf(was), wordsOf(is)];
  const isNarrowing = (word: string): boolean =>
    narrowingOption.test(word) || (key.endsWith("addopts") && attachedOption.test(word));
  const more = now.filter((word) => isNarrowing(word) && !old.includes(word));
  if (more.length > 0) return `has \`${more.join(" ")}\``;
  const gone = old.filter((word) => (demandingOption.test(word) || word === "error") && !now.includes(word));
  return gone.length === 0 ? undefined : `has lost \`${gone.join(" ")}\``;
}

const severities: Readonly<Record<string, number>> = {
  off: 0,
  allow: 0,
  "0": 0,
  warn: 1,
  "1": 1,
  error: 2,
  deny: 2,
  "2": 2,
};

function ruleSeverity({ key, was, is, isNew }: Pair): string | undefined {
  if (isNew || !/(?:^|\.)(?:rules|lints\.\w+|categories)\.[^.]+$/.test(key)) return undefined;
  const [old, now] = [was, is].map(
    (value) => severities[(typeof value === "string" ? value : (value?.[0] ?? "")).replace(/["']/g, "")],
  );
  if (was === undefined) return now === 0 ? "is switched off" : undefined;
  if (is === undefined) return old === 0 ? undefined : "is gone";
  return old !== undefined && now !== undefined && now < old ? `is weaker than \`${listed(was)[0] ?? ""}\`` : undefined;
}

/** Compares what decides by whom, or under which other settings, tests are run. */
function replaced({ key, was, is, isNew }: Pair): string | undefined {
  if (/^target\..*\.runner$|^build\.rustc(?:-wrapper)?$/.test(key) && is !== undefined)
    return `is now \`${listed(is).join(" ")}\``;
  if (isNew) return undefined;
  if (/(?:^|\.)(?:testRunner|runner|resolver|testSequencer|rustc-wrapper|rustflags)$/.test(key))
    return is === undefined ? undefined : `is now \`${listed(is).join(" ")}\``;
  if (/^(?:extends|preset)$|(?:^|\.)jest\.preset$/.test(key) && was !== undefined)
    return is === undefined ? "is gone" : "leads elsewhere";
  if (/^testenv\S*\.commands(?:_pre|_post)?$/.test(key) && was !== undefined)
    return "is not what the check was approved with";
  return undefined;
}

function isOn(value: Value): boolean {
  return typeof value === "string" && /^(?:true|yes|on|1)$/i.test(value);
}

/** Lists are compared by item; a text of several words, as INI has them, is a list, too, but not a spaced-out regular expression. */
function listed(value: Value): readonly string[] {
  if (typeof value === "string" && /^\s*\(\?x\)/.test(value)) return [unspaced(value)];
  return typeof value === "string" ? value.split(/\s+/).filter((word) => word !== "") : (value ?? []);
}

/** Lists each word of a value, also of a list whose items have several: a runner splits some and not others. */
function wordsOf(value: Value): readonly string[] {
  return listed(value).flatMap((item) => item.split(/\s+/));
}

/** Takes the blanks and comments that `(?x)` allows out of a regular expression. */
function unspaced(pattern: string): string {
  return pattern.replace(/^\s*\(\?x\)/, "").replace(/(?<!\\)#.*$|\s+/gm, "");
}

function same(was: Value, is: Value): boolean {
  return JSON.stringify(was) === JSON.stringify(is);
}
