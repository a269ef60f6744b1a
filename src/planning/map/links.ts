import { mappedLanguageOf } from "../../syntax/language.ts";
import { planningLimits } from "../limits.ts";
import type { MapFile } from "./facts.ts";
import { importResolver } from "./imports.ts";

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

/** Families of languages that use each other's names. */
function familyOf(path: string): string | undefined {
  const language = mappedLanguageOf(path);
  return language === "typescript" || language === "tsx" ? "javascript" : language;
}
