/** A word as a shell takes it, quoted only where it has to be. */
export function shellWord(word: string): string {
  return /^[\w/.:@%+=,][\w/.:@%+=,-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
