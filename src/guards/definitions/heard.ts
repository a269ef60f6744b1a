import { languageOf } from "../../syntax/language.ts";
import { isGlob, matcher, staticPrefix } from "../../plan/paths.ts";
import { protectedKind } from "../../plan/protected.ts";
import type { TaskFiles } from "../../plan/types.ts";
import { callsOf, nameOf } from "../../base/command-line.ts";
import { whyVacuous } from "./vacuous.ts";

/** Programs whose tests a witness hears: what no longer runs shows when the check is run. */
export const heardPrograms = /^(?:vitest|jest|pytest|py\.test)$/;

/** Whether a new command line runs tests that a witness hears, all that it can, and demands no less than the old one. */
export function isHeardInstead(was: string, is: string, files: TaskFiles): boolean {
  if (/[;|`$()<>\n#\\]|(?<!&)&(?!&)/.test(is) || whyVacuous(is) !== undefined || !keepsDemands(was, is)) return false;
  const [old, now] = [was, is].map((line) => callsOf(line, ".").map(({ words }) => words));
  const rest = (now ?? []).filter((words) => !isHeard(words));
  const runners = (now ?? []).filter(isHeard);
  const keepsSteps = (old ?? []).every((words) => isTestProgram(words) || has(rest, words));
  const addsNone = rest.every((words) => has(old ?? [], words) || checkers.test(nameOf(words[0])));
  const known = new Set(was.split(/\s+/));
  if (!is.split(/\s+/).every((word) => known.has(word) || !isMeddling(word))) return false;
  return runners.length > 0 && keepsSteps && addsNone && runners.every((words) => isPlain(words, known, files));
}

/** Whether a word is a variable that may change what a runner does, or a program of the project's own that is named like one. */
function isMeddling(word: string): boolean {
  const variable = /^([A-Za-z_]\w*)=/.exec(word)?.[1];
  if (variable !== undefined) return !/^(?:NODE_ENV|CI|TZ|LANG|LC_ALL|FORCE_COLOR|NO_COLOR)$/.test(variable);
  return (
    word.includes("::") ||
    (word.includes("/") && heardPrograms.test(nameOf(word)) && !word.includes("node_modules/.bin/"))
  );
}

/** Whether paths of a selection reach every test that the task names; the witness does not miss those. */
export function reachesNamed(selected: readonly string[], { create, modify, touch }: TaskFiles): boolean {
  const tests = [...create, ...modify, ...touch].filter(
    (path) => protectedKind(path, []) === "test" && languageOf(path) !== undefined,
  );
  return selected.length === 0 || tests.every((path) => selected.some((word) => reaches(word, path)));
}

function reaches(word: string, path: string): boolean {
  const folder = word.replace(/^\.\//, "").replace(/\/?(?:\.\.\.)?$/, "");
  const start = isGlob(path) ? staticPrefix(path) : path;
  if (folder === "" || folder === "." || start === folder || start.startsWith(`${folder}/`)) return true;
  return isGlob(folder) && !isGlob(path) && matcher([folder])(path);
}

const has = (calls: readonly (readonly string[])[], words: readonly string[]): boolean =>
  calls.some((call) => JSON.stringify(call) === JSON.stringify(words));

/** Programs that write nothing a test could mistake for the product, and fail where they find something. */
const checkers = /^(?:tsc|tsgo|eslint|oxlint|biome|ruff|mypy|pyright)$/;

function isHeard([program, ...rest]: readonly string[]): boolean {
  const name = nameOf(program);
  if (name === "node") return rest.includes("--test");
  if (name === "go" || name === "cargo") return rest[0] === "test";
  return heardPrograms.test(name) || name === "unittest";
}

/** Whether a call ran tests, heard or not: another runner may take its place. */
function isTestProgram(words: readonly string[]): boolean {
  const [program, ...rest] = words;
  if (isHeard(words) || /^(?:mocha|ava|tap|tape|uvu|jasmine)$/.test(nameOf(program))) return true;
  return nameOf(program) === "node" && rest.every((word) => protectedKind(word, []) === "test");
}

/** Whether the new line keeps the limits and the strictness of the old one. */
function keepsDemands(was: string, is: string): boolean {
  const now = is.split(/\s+/);
  const demands = was.split(/\s+/).filter((word) => word.startsWith("-") && demanding.test(word));
  return demands.every((word) => now.includes(word));
}

const demanding =
  /cov\w*[.-](?:\w*-)?(?:lines|branches|functions|statements|under)|threshold|strict|forbid|fail|error|max-warnings|^-race$/i;

/** Whether a call has no option but those known to be harmless: many others leave tests out, or load something first. */
function isPlain(words: readonly string[], known: ReadonlySet<string>, files: TaskFiles): boolean {
  const rest = words.slice(1).filter((word, at, all) => !(valued.test(all[at - 1] ?? "") && !word.startsWith("-")));
  const options = rest.filter((word) => word.startsWith("-"));
  const places = rest.filter((word) => !word.startsWith("-") && !/^(?:test|run|discover)$/.test(word));
  if (nameOf(words[0]) === "cargo" && places.length > 0) return false;
  return options.every((word) => known.has(word) || harmless.test(word)) && reachesNamed(places, files);
}

/** Options whose value is the next word. */
const valued = /^(?:--(?:test-)?reporter|--test-reporter-destination|-n|--features|--tb)$/;

const harmless =
  /^(?:--test|--run|--ci|--coverage|--experimental-(?:test-coverage|strip-types|vm-modules|test-module-mocks)|--test-(?:reporter|reporter-destination|concurrency|timeout)(?:=\S+)?|--enable-source-maps|--no-warnings|--(?:no-)?colors?|--reporter(?:=\S+)?|--verbose|--silent|--quiet|-[vq]+|-r[aA]|--runInBand|--maxWorkers=\S+|--watch=false|--tb(?:=\S+)?|-n|-race|-cover|-count=1|--workspace|--all|--all-targets|--all-features|--features(?:=\S+)?|--locked|--offline)$/;
