import { builtinModules } from "node:module";
import { posix } from "node:path";
import { addedLines } from "../evidence-lines.ts";
import { jsonOf, recordOf } from "../../syntax/json.ts";
import { readToml, type Settings } from "../../syntax/settings.ts";
import { lineWith, linesOfBoth, unreadable, type Finding, type Subject } from "./subject.ts";

/** Finds dependencies that were there and would now come from elsewhere: code under test, or its runner, swapped for another. */
export function dependencyFindings(subject: Subject): readonly Finding[] {
  const name = posix.basename(subject.path).toLowerCase();
  if (name === "package.json") return packageSwaps(subject);
  if (name === "cargo.toml" || /(?:^|\/)\.cargo\/config(?:\.toml)?$/.test(subject.path)) return cargoSwaps(subject);
  if (name === "go.mod" || name === "go.work") return newLines(subject, goReplaces);
  if (name === "pyproject.toml") return newLines(subject, pythonElsewhere);
  if (/^requirements.*\.txt$/.test(name)) return newLines(subject, pipElsewhere);
  return name === "gemfile" ? newLines(subject, gemElsewhere) : [];
}

const tables = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

function packageSwaps(subject: Subject): Finding[] {
  const [was, is] = [subject.before, subject.after].map((text) => recordOf(jsonOf(text ?? "")));
  const known = mergedTables(was);
  const swapped = [...mergedTables(is)].filter(
    ([name, from]) => known.has(name) && known.get(name) !== from && isElsewhere(from),
  );
  const overridden = [...overridesOf(is)].filter(
    ([name, from]) => overridesOf(was).get(name) !== from && isElsewhere(from),
  );
  return [
    ...swapped.map(([name, from]) => elsewhere(subject, name, from)),
    ...overridden.map(([name, from]) => elsewhere(subject, name, from)),
    ...redirects(subject, recordOf(was?.["imports"]), recordOf(is?.["imports"])),
    ...redirects(subject, exportsOf(was), exportsOf(is)),
  ];
}

function elsewhere(subject: Subject, name: string, from: string): Finding {
  const why = `was changed, but ${name} would now come from \`${from}\`, not from its old source. A version may change; put the rest back.`;
  return { why, lines: linesOfBoth(subject, `"${name}"`) };
}

function mergedTables(json: Readonly<Record<string, unknown>> | undefined): Map<string, string> {
  const entries = tables.flatMap((table) => Object.entries(recordOf(json?.[table])));
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** Whether a dependency comes from `file:../x`, `npm:other@1`, `github:a/b`, an address or a path, and not from a registry by a range of versions or a tag. */
function isElsewhere(from: string): boolean {
  return /^(?:file|link|portal|patch|exec|git(?:\+\w+)?|https?|npm|github|gitlab|bitbucket|gist|workspace):|^[./~]|^[\w.-]+\/[\w.-]+(?:#|$)|^git@/.test(
    from,
  );
}

/** Collects the overrides of npm, yarn and pnpm, at any depth: those of npm may nest. */
function overridesOf(json: Readonly<Record<string, unknown>> | undefined): Map<string, string> {
  const found = new Map<string, string>();
  const pnpm = recordOf(json?.["pnpm"]);
  const queue = [json?.["overrides"], json?.["resolutions"], pnpm["overrides"], pnpm["patchedDependencies"]].map(
    recordOf,
  );
  for (let table = queue.pop(); table !== undefined; table = queue.pop()) {
    for (const [name, from] of Object.entries(table)) {
      if (typeof from === "string") found.set(name, table === pnpm["patchedDependencies"] ? `patch:${from}` : from);
      else queue.push(recordOf(from));
    }
  }
  return found;
}

/** `exports` may be one target, targets by condition, or conditions by name. */
function exportsOf(json: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, unknown>> {
  const { exports, main } = json ?? {};
  const table = typeof exports === "string" || Array.isArray(exports) ? { ".": exports } : recordOf(exports);
  return main === undefined ? table : { ...table, main };
}

/** Finds names that led to one module and now lead to another; not where the module itself has moved away. */
function redirects(
  subject: Subject,
  was: Readonly<Record<string, unknown>>,
  is: Readonly<Record<string, unknown>>,
): Finding[] {
  return Object.keys(was).flatMap((name) => {
    const [old, now] = [JSON.stringify(was[name]), JSON.stringify(is[name])];
    if (
      now === undefined ||
      old === now ||
      targetsOf(old).some((path) => subject.isDeleted(posix.join(posix.dirname(subject.path), path)))
    )
      return [];
    const why = `was changed, but "${name}" pointed to ${old} and now points to ${now}, so tests may load another module. Put it back.`;
    return [{ why, lines: linesOfBoth(subject, `"${name}"`) }];
  });
}

function targetsOf(json: string): string[] {
  return [...json.matchAll(/"(\.?[^"]*\/[^"]*)"/g)].map(([, path = ""]) => path);
}

function cargoSwaps(subject: Subject): Finding[] {
  const [before, is] = [readToml(subject.before ?? ""), readToml(subject.after ?? "")];
  if ("fault" in is) return [unreadable(subject, is)];
  const was: Settings = "fault" in before ? new Map() : before;
  const found = [...is].flatMap(([key, value]): [string, string][] => {
    if (JSON.stringify(was.get(key)) === JSON.stringify(value)) return [];
    const [, crate = key, origin = ""] = /^(.*?)(?:\.(path|git|package|branch|tag|rev|registry))?$/.exec(key) ?? [];
    const isPatch = /^(?:patch\.|replace\.|source\.|paths$)/.test(key);
    const isSwap =
      /(?:^|[.-])dependencies\.[^.]+$/.test(crate) &&
      /^(?:path|git|package)$/.test(origin) &&
      isFromRegistry(was, crate);
    if (!isPatch && !isSwap) return [];
    return [[crate.split(".").at(-1) ?? crate, `${origin === "" ? "" : `${origin} = `}${[value].flat().join(" ")}`]];
  });
  return [...new Map(found.toReversed())].toReversed().map(([name, from]) => ({
    why: `was changed, but ${name} would now come from \`${from}\`, not from its old source. A version may change; put the rest back.`,
    lines: lineWith(subject.after, "+", name),
  }));
}

/** Whether a crate was a dependency already, and not one from a folder or a repository. */
function isFromRegistry(was: Settings, crate: string): boolean {
  const isKnown = [...was.keys()].some((key) => key === crate || key.startsWith(`${crate}.`));
  return isKnown && !was.has(`${crate}.path`) && !was.has(`${crate}.git`);
}

const goReplaces = /^\s*(?:replace\s+\S|exclude\s+\S|\S+(?:\s+v\S+)?\s+=>\s)/;
const pythonElsewhere =
  /^\s*["']?[\w.[\]-]+["']?\s*(?:=\s*\{[^}]*\b(?:path|git|url|file)\s*=|@\s*(?:file|git|https?)[:+])/;
const pipElsewhere =
  /^\s*(?:-e\s|--editable|--index-url|--extra-index-url|-i\s|--find-links|-f\s|(?:file|git|https?)[:+]|\.{0,2}\/|[\w.[\]-]+\s*@\s*(?:file|git|https?)[:+])/;
const gemElsewhere = /^\s*gem\s+["'][^"']+["'].*(?:\bpath:|\bgit:|\bgithub:|:path\s*=>|:git\s*=>)/;

/** Finds new lines, in a file that existed, that make a dependency come from another source. */
function newLines({ before, after }: Subject, pattern: RegExp): Finding[] {
  if (before === null) return [];
  const lines = addedLines(before, after).filter(({ text }) => pattern.test(text) && isOfKnown(text, before));
  if (lines.length === 0) return [];
  return [
    {
      why: "was changed, but a dependency would now come from another source. A version may change; put the rest back.",
      lines,
    },
  ];
}

/** Whether the text before spoke of the same dependency. */
function isOfKnown(line: string, before: string): boolean {
  if (/^\s*-(?:i|f|-\S+)\b(?!.*#egg)/.test(line) && !/^\s*(?:-e|--editable)/.test(line)) return true;
  const words = line
    .split(/[^\w.-]+/)
    .filter(
      (word) =>
        /^[a-z][\w.-]{2,}$/i.test(word) &&
        !/^(?:replace|exclude|gem|git|path|url|file|https?|editable|egg|vendor|src|com|github)$/i.test(word),
    );
  const known = new Set(
    before
      .toLowerCase()
      .split(/[^\w.-]+/)
      .map((word) => word.replace(/[<>=~!;[].*$/, "")),
  );
  return words.some((word) => known.has(word.toLowerCase()));
}

/** Whether a name, as aliases have it, already leads to a module: one of node, or a dependency of the package. */
export function isKnownModule(name: string, dependencies: ReadonlySet<string>): boolean {
  const bare = name
    .replace(/^\^|\$$/g, "")
    .replace(/\/?\*$|\/\(\.\*\)$/, "")
    .replaceAll("\\", "");
  if (/^(?:node:|\.{0,2}\/|\.\*)/.test(bare) || bare === "" || bare === "*") return true;
  return (
    builtinModules.includes(bare) ||
    dependencies.has(bare) ||
    [...dependencies].some((known) => bare.startsWith(`${known}/`))
  );
}

/** Returns what package.json says the package depends on. */
export function dependenciesOf(text: string | null): ReadonlySet<string> {
  return new Set(mergedTables(recordOf(jsonOf(text ?? ""))).keys());
}
