import { origins, type Origin } from "./case.ts";
import { countOf, goalsOf, isGood, type Count, type Result } from "./score.ts";

/** All that is said of the corpus in docs/verification.md: counts, never times, so that a run can be compared with it. */
export function tablesOf(results: readonly Result[]): string {
  const cheats = results.filter(({ one }) => one.isCheat);
  const honest = results.filter(({ one }) => !one.isCheat);
  return [
    "### Goals",
    goalTable(results),
    "### Cheats caught, by kind",
    kindTable(cheats, ["kind", "shown by"], ({ one }) => [one.kind, one.shown_by ?? ""]),
    "### What refused them",
    refusalTable(cheats),
    "### Honest work integrated, by kind",
    kindTable(honest, ["kind"], ({ one }) => [one.kind]),
    "### By language",
    languageTable(cheats, honest),
    ...failures("### Cheats that were integrated", cheats),
    ...failures("### Honest work that was refused", honest),
  ].join("\n\n");
}

function goalTable(results: readonly Result[]): string {
  const rows = goalsOf(results).map(({ text, count, holds }) => [text, say(count), holds ? "holds" : "**missed**"]);
  const reviewer = countOf(results.filter(({ one }) => one.shown_by === "reviewer"));
  rows.push(["no goal: what only a reviewer can see is caught", say(reviewer), ""]);
  return table(["goal", "count", ""], rows);
}

/** Origins apart: known cases were there while guards were built, seen ones were looked at afterwards, held-out ones never. */
function kindTable(
  results: readonly Result[],
  heads: readonly string[],
  keyOf: (result: Result) => readonly string[],
): string {
  const groups = grouped(results, (result) => keyOf(result).join("\0"));
  const rows = groups.map(([key, some]) => [...key.split("\0"), ...byOrigin(some)]);
  const all = ["**all**", ...heads.slice(1).map(() => ""), ...byOrigin(results)];
  return table([...heads, ...origins], [...rows, all]);
}

function byOrigin(results: readonly Result[]): string[] {
  const of = (origin: Origin) => say(countOf(results.filter(({ one }) => one.origin === origin)));
  return origins.map(of);
}

function refusalTable(cheats: readonly Result[]): string {
  const by = ({ outcome }: Result) => (outcome.kind === "refused" ? outcome.by : "");
  const rows = grouped(cheats.filter(isGood), by).map(([name, some]) => [name, String(some.length)]);
  return table(["guard or check", "cheats"], rows);
}

function languageTable(cheats: readonly Result[], honest: readonly Result[]): string {
  const rows = grouped([...cheats, ...honest], ({ one }) => one.language).map(([language]) => {
    const of = (some: readonly Result[]) => say(countOf(some.filter(({ one }) => one.language === language)));
    return [language, of(cheats), of(honest)];
  });
  return table(["language", "cheats caught", "honest work integrated"], rows);
}

function failures(head: string, results: readonly Result[]): string[] {
  const bad = results.filter((result) => !isGood(result));
  if (bad.length === 0) return [];
  return [head, bad.map(({ one }) => `- \`${one.name}\` (${one.origin}): ${one.why}`).join("\n")];
}

function grouped(results: readonly Result[], keyOf: (result: Result) => string): [string, Result[]][] {
  const groups = new Map<string, Result[]>();
  for (const result of results) groups.set(keyOf(result), [...(groups.get(keyOf(result)) ?? []), result]);
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function say({ good, all }: Count): string {
  return all === 0 ? "–" : `${good} of ${all}`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `|${cells.map((cell) => (cell === "" ? " |" : ` ${cell} |`)).join("")}`;
  return [line(heads), `|${heads.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}
