import { quoted } from "./problem.ts";

/** What to tell someone who wrote a key that does not exist: the one they meant, or all there are. */
export function unknownKeyMessage(key: string, known: readonly string[]): string {
  const nearest = nearestKey(key, known);
  const cure = nearest === undefined ? `known keys: ${known.join(", ")}` : `did you mean "${nearest}"?`;
  return `unknown key ${quoted(key)}; ${cure}`;
}

/** A third of the letters may differ: enough for a slip, too few to suggest something unrelated. */
function nearestKey(key: string, known: readonly string[]): string | undefined {
  if (key.length > 64) return undefined;
  const near = known
    .map((candidate) => ({ candidate, distance: editDistance(key, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.candidate;
}

/** Levenshtein's distance with swapped neighbours counted once, since that is how fingers slip. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
