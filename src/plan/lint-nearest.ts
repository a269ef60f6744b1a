/** Names longer than this are compared by prefix only, so that a huge list cannot stall lint. */
const nearestCharsMax = 64;

/** The known name a person most likely meant, or undefined where nothing is close. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const longer = word.length < 2 ? undefined : known.find((name) => name.startsWith(word));
  if (longer !== undefined || word.length > nearestCharsMax) return longer;
  const distanceMax = Math.max(1, Math.floor(word.length / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    if (Math.abs(name.length - word.length) > (best?.distance ?? distanceMax)) continue;
    const distance = editDistance(word, name);
    if (distance <= distanceMax && distance < (best?.distance ?? Infinity)) best = { name, distance };
  }
  return best?.name;
}

/** Counts insertions, deletions and replacements. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
