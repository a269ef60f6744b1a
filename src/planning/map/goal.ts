import { planningLimits } from "../limits.ts";
import type { MapFile } from "./facts.ts";

/** Rates how much each file has to do with the words of a goal, from 0 to 1; all 0 where no word is found. */
export function relevanceTo(goal: string, files: readonly MapFile[]): number[] {
  const terms = [...termsOf(goal.slice(0, planningLimits.mapGoalCharsMax))];
  if (terms.length === 0) return files.map(() => 0);
  const found = files.map((file) => termsIn(file, new Set(terms)));
  const weights = new Map(
    terms.map((term) => {
      const holders = found.filter((one) => one.has(term)).length;
      return [term, Math.log(1 + files.length / (1 + holders))];
    }),
  );
  const sums = found.map((one) => [...one].reduce((sum, [term, share]) => sum + share * (weights.get(term) ?? 0), 0));
  const most = sums.reduce((high, sum) => Math.max(high, sum), 1e-9);
  return sums.map((sum) => (sum / most) ** 2);
}

/** Whether a name has a word of the goal in it. */
export function nameMatcher(goal: string): (name: string) => number {
  const terms = termsOf(goal.slice(0, planningLimits.mapGoalCharsMax));
  return (name) => (terms.size === 0 ? 0 : [...termsOf(name)].filter((term) => terms.has(term)).length);
}

/** Weighs a word in the path more than one in a defined name, and that more than one that is only used. */
const shares = { path: 3, defined: 2, used: 1 } as const;

function termsIn({ path, facts }: MapFile, wanted: ReadonlySet<string>): Map<string, number> {
  const found = new Map<string, number>();
  const note = (text: string, share: number): void => {
    for (const term of partsOf(text)) if (wanted.has(term)) found.set(term, Math.max(share, found.get(term) ?? 0));
  };
  note(path, shares.path);
  for (const { name, signature } of facts.symbols) note(name === "" ? signature : name, shares.defined);
  note(facts.words, shares.used);
  return found;
}

/** Returns the words of a text, without those that every goal has. */
function termsOf(text: string): Set<string> {
  return new Set(partsOf(text).filter((term) => !stopWords.has(term)));
}

/** Splits names, lowers capitals and drops common endings: `runTasks` has `run` and `task`. */
function partsOf(text: string): string[] {
  const apart = text.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ").toLowerCase();
  return (apart.match(/[\p{L}\d]{3,}/gu) ?? []).map(stem);
}

function stem(word: string): string {
  const short = word.replace(/(?:ies|ied)$/, "y").replace(/(?:ing|ed|es|s|e)$/, "");
  return short.length >= 3 ? short : word;
}

const stopWords: ReadonlySet<string> = new Set(
  (
    "the and for with that this from into its not are was but what who whom when where which while all any each more than then them they " +
    "let make give take say tell keep add new one two use can may must never only also how why has have had will would should does " +
    "there their his her our your out off over under after before about because been being such other same very just file files code"
  )
    .split(" ")
    .map(stem),
);
