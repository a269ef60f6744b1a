/** Writes a count with its noun: `1 task`, `2 tasks`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
