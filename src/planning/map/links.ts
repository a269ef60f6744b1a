import { posix } from "node:path";
import { mappedLanguageOf } from "../../syntax/language.ts";
import { planningLimits } from "../limits.ts";
import type { MapFile } from "./facts.ts";

/** One file uses a name that another defines; the name is "" where it only imports it. */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly weight: number;
}

/** Finds which files refer to which by name: a name that many files define counts little, one of an imported file most. */
export function linksOf(files: readonly MapFile[]): Link[] {
  const definers = definersOf(files);
  const resolve = importResolver(files.map(({ path }) => path));
  const links: Link[] = [];
  for (const [from, file] of files.entries()) {
    const family = familyOf(file.path);
    const known = definers.get(family ?? "");
    if (family === undefined || known === undefined) continue;
    const imported = new Set(file.facts.imports.flatMap((text) => resolve(file.path, text)));
    imported.delete(from);
    for (const to of imported) links.push({ from, to, name: "", weight: 1 });
    for (const name of file.facts.words.split(" ")) {
      const all = known.get(name);
      if (all === undefined || all.includes(from)) continue;
      const near = all.filter((to) => imported.has(to));
      const meant = near.length > 0 ? near : all;
      if (meant.length > planningLimits.mapDefinersMax) continue;
      if (near.length === 0 && imported.size > 0 && importsAll.has(family)) continue;
      const weight = (near.length > 0 ? 1 : unimported) / meant.length;
      for (const to of meant) links.push({ from, to, name, weight });
    }
    if (links.length > planningLimits.mapLinksMax) break;
  }
  return links;
}

/** The weight of a name without an import, which may mean another thing of the same name. */
const unimported = 0.3;

/** Languages in which a file with imports imports everything that it does not define. */
const importsAll: ReadonlySet<string> = new Set(["javascript", "python"]);

/** Lists the files that define a name, by family of languages, then by name. */
function definersOf(files: readonly MapFile[]): Map<string, Map<string, number[]>> {
  const all = new Map<string, Map<string, number[]>>();
  for (const [at, { path, facts }] of files.entries()) {
    const family = familyOf(path);
    if (family === undefined) continue;
    const known = all.get(family) ?? new Map<string, number[]>();
    all.set(family, known);
    for (const name of new Set(facts.symbols.flatMap((one) => (one.isOpen ? one.name : [])))) {
      const holders = known.get(name);
      if (holders === undefined) known.set(name, [at]);
      else holders.push(at);
    }
  }
  return all;
}

/** Returns one name for languages that use each other's names. */
function familyOf(path: string): string | undefined {
  const language = mappedLanguageOf(path);
  return language === "typescript" || language === "tsx" ? "javascript" : language;
}

/** Finds the files that an import may mean. */
type Resolve = (from: string, text: string) => readonly number[];

/** Compares paths alone, in every language: a relative path first, else files whose path ends like the import. */
function importResolver(paths: readonly string[]): Resolve {
  const exact = new Map<string, number>();
  const byStem = new Map<string, number[]>();
  paths.forEach((path, at) => {
    const stem = withoutExtension(path);
    exact.set(path, at);
    if (!exact.has(stem)) exact.set(stem, at);
    const name = posix.basename(stem);
    const key = isIndex.test(name) ? posix.basename(posix.dirname(stem)) : name;
    const known = byStem.get(key);
    if (known === undefined) byStem.set(key, [at]);
    else if (known.length < namesakesMax) known.push(at);
  });
  const relative = (from: string, text: string): number | undefined => {
    const place = posix.join(posix.dirname(from), text);
    const at = exact.get(place) ?? exact.get(withoutExtension(place));
    if (at !== undefined) return at;
    return indexNames.map((name) => exact.get(posix.join(place, name))).find((one) => one !== undefined);
  };
  const byTail = (text: string): readonly number[] => {
    const parts = (mappedLanguageOf(text) === undefined ? text : withoutExtension(text))
      .split(/[^\p{L}\p{N}_$-]+/u)
      .filter((part) => part !== "");
    const found = lastTwo(parts).flatMap((name) => byStem.get(name) ?? []);
    const before = parts.at(-2);
    const near = found.filter((at) => before !== undefined && (paths[at] ?? "").includes(`${before}/`));
    return near.length > 0 ? near : found.length <= 1 ? found : [];
  };
  return (from, text) => {
    const at = relative(from, pythonRelative(text));
    return at !== undefined ? [at] : /^\.\.?\//.test(text) ? [] : byTail(text);
  };
}

/** `a.b.c` may mean a file c, or c in a file b. */
function lastTwo(parts: readonly string[]): string[] {
  return parts.slice(-2).toReversed();
}

/** `..a.b` is `../a/b`, and `.a` is `./a`. */
function pythonRelative(text: string): string {
  const [, dots, rest] = /^(\.+)([\w.]+)$/.exec(text) ?? [];
  if (dots === undefined || rest === undefined) return text;
  return `${dots.length === 1 ? "./" : "../".repeat(dots.length - 1)}${rest.replaceAll(".", "/")}`;
}

function withoutExtension(path: string): string {
  return path.replace(/(?<=[^/])\.[A-Za-z]{1,4}$/, "");
}

const isIndex = /^(?:index|__init__|mod|lib|main)$/;
const indexNames = ["index", "__init__", "mod"];

/** How many files of one name are considered. */
const namesakesMax = 20;
