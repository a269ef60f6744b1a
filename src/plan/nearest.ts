import { quoted } from "./problem.ts";
import { planLimits } from "./limits.ts";

/** Writes the message for a name that does not exist: it suggests the name that was probably meant, or lists all of them. */
export function unknownNameMessage(
  kind: "key" | "variable" | "prompt" | "task" | "event" | "agent",
  name: string,
  known: readonly string[],
): string {
  const meant = nearest(name, known);
  const cure = meant === undefined ? `known ${kind}s: ${known.join(", ")}` : `did you mean "${meant}"?`;
  return `unknown ${kind} ${quoted(name)}; ${cure}`;
}

/** Finds the known name a person most likely meant; undefined where nothing is close. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const longer = word.length < 2 ? undefined : known.find((name) => name.startsWith(word));
  if (longer !== undefined || word.length > planLimits.nearestCharsMax) return longer;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    // A third of the letters may differ: enough for a slip, too few to suggest something unrelated.
    const distanceMax = Math.max(1, Math.floor(name.length / 3));
    if (Math.abs(name.length - word.length) > Math.min(best?.distance ?? Infinity, distanceMax)) continue;
    const distance = editDistance(word, name);
    if (distance <= distanceMax && distance < (best?.distance ?? Infinity)) best = { name, distance };
  }
  return best?.name;
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
