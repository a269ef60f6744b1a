import { posix } from "node:path";
import { languageOf } from "../../syntax/language.ts";
import { isGlob } from "../../plan/paths.ts";
import { protectedKind } from "../../plan/protected.ts";
import { addedLines, changedLines } from "../evidence-lines.ts";
import { dependenciesOf, isKnownModule } from "./dependencies.ts";
import { heardPrograms, reachesNamed } from "./heard.ts";
import { linesOfBoth, runnerOf, unreadable, type Finding, type Subject } from "./subject.ts";
import { weaknesses, type Weakness } from "./weaker.ts";
import { withTree, type Node } from "../../syntax/parse.ts";
import { guardsLimits } from "../limits.ts";
import { planLimits } from "../../plan/limits.ts";
import { parseYaml } from "../../plan/yaml.ts";
import { jsonOf } from "../../syntax/json.ts";
import { readIni, readToml, type Fault, type Settings } from "../../syntax/settings.ts";

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

/** Compares settings of runners, type checkers and linters that a task may change: they must not prove less than before. */
export async function settingsFindings(subject: Subject): Promise<Finding[]> {
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

/** Whether a runner that is heard gets its first selection of folders: tests that no longer run show when the check is run. */
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

/** Whether a place is a folder for tests, or every file in one that is named like a test. */
function isWhereTestsLie(place: string): boolean {
  const last = posix.basename(place);
  const sample = place
    .replaceAll("**/", "")
    .replaceAll(/\{([^,}]*)[^}]*\}/g, "$1")
    .replaceAll("*", "x");
  if (!isGlob(place)) return languageOf(place) === undefined && protectedKind(`${sample}/x.py`, []) === "test";
  return last.startsWith("*") && protectedKind(sample, []) === "test";
}

/** Returns the lines that name a setting; of a list over several lines, all that changed. */
function linesFor(subject: Subject, key: string): Finding["lines"] {
  const own = linesOfBoth(subject, key.split(".").at(-1) ?? key);
  return own.length > 0 ? own : changedLines(subject.before, subject.after);
}

const aliases = /(?:^|\.)(?:alias|moduleNameMapper|paths)\.(.+)$/;

/** Finds names that led to a module and would lead to another one: tests would meet a stand-in. */
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

/** Settings that a program works out cannot be compared, so what was there stays. */
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

/** Finds statements that change settings after they were written out. */
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

/** Reads a settings file by its name; undefined where no reader fits it, or where a program works its settings out. */
async function settingsOf(path: string, text: string | null): Promise<Settings | Fault | undefined> {
  if (text === null) return new Map();
  const name = posix.basename(path).toLowerCase();
  if (name.endsWith(".toml") || /(?:^|\/)\.cargo\/config$/.test(path)) return readToml(text);
  if (/\.(?:ini|cfg)$|^\.coveragerc$/.test(name)) return readIni(text);
  if (/\.ya?ml$/.test(name)) return yamlSettings(path, text);
  const language = languageOf(path);
  if (language === "javascript" || language === "typescript")
    return await withTree(text, language, (root) => scriptSettings(root));
  if (/\.jsonc?$/.test(name) || /^\.\w+rc$/.test(name)) {
    const json = jsonOf(text);
    return json === undefined ? yamlSettings(path, text) : flattened(json);
  }
  return undefined;
}

function yamlSettings(path: string, text: string): Settings | Fault {
  const parsed = parseYaml(path, text, 1);
  if (!("problems" in parsed)) return flattened(parsed.data);
  const [first] = parsed.problems;
  return { fault: `line ${first?.line ?? 1}: ${first?.message ?? "not readable"}` };
}

/** Lists values as JSON has them, by path; an object in a list is one text. */
function flattened(value: unknown): Map<string, string | readonly string[]> {
  const found = new Map<string, string | readonly string[]>();
  const queue: { readonly at: readonly string[]; readonly value: unknown }[] = [{ at: [], value }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { at } = next;
    if (Array.isArray(next.value))
      found.set(
        at.join("."),
        next.value.map((item) => (typeof item === "string" ? item : JSON.stringify(item))),
      );
    else if (typeof next.value === "object" && next.value !== null && at.length < planLimits.yamlDepthMax)
      for (const [key, inner] of Object.entries(next.value)) queue.push({ at: [...at, key], value: inner });
    else found.set(at.join("."), String(next.value));
  }
  return found;
}

/** Reads the objects that a script exports or hands on, as far as they are written out; other values are their text. */
function scriptSettings(root: Node): Settings | undefined {
  const outer = root
    .descendantsOfType("object")
    .filter((node) => node !== null)
    .filter(isOutermost);
  if (outer.length === 0) return undefined;
  const found = new Map<string, string | readonly string[]>();
  for (const object of outer) readObject(object, found);
  return found;
}

function isOutermost(node: Node): boolean {
  for (let at = node.parent, depth = 0; at !== null && depth < guardsLimits.treeClimbMax; at = at.parent, depth += 1)
    if (at.type === "object") return false;
  return true;
}

function readObject(object: Node, found: Map<string, string | readonly string[]>): void {
  const queue: { readonly at: readonly string[]; readonly node: Node }[] = [{ at: [], node: object }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const child of next.node.namedChildren.filter((node) => node !== null)) {
      const [key, value] = [child.childForFieldName("key"), child.childForFieldName("value")];
      if (key === null || value === null) {
        if (child.type !== "comment") found.set(free(found, [...next.at, child.text].join(".")), child.text);
        continue;
      }
      const at = [...next.at, plain(key)];
      if (value.type === "object" && at.length < planLimits.yamlDepthMax) queue.push({ at, node: value });
      else found.set(free(found, at.join(".")), value.type === "array" ? itemsOf(value) : plain(value));
    }
  }
}

/** Several objects of a script may have the same key; a mark tells the second from the first. */
function free(found: ReadonlyMap<string, unknown>, key: string): string {
  let name = key;
  while (found.has(name)) name += "#";
  return name;
}

function itemsOf(array: Node): string[] {
  return array.namedChildren.flatMap((node) => (node === null || node.type === "comment" ? [] : [plain(node)]));
}

function plain(node: Node): string {
  return node.text.replace(/^(["'`])([\s\S]*)\1$/, "$2");
}
