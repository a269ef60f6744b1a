/** Finds the words of a piece of code that say what it is about: names, numbers, words of its strings. */
export function tokensOf(text: string): ReadonlySet<string> {
  const words = text.match(/[\p{L}_$][\p{L}\p{N}_$]*|\d[\d._]*/gu) ?? [];
  return new Set(words.filter((word) => !common.has(word)));
}

/** Measures how much of what `part` is about is found in `whole`, from 0 to 1; words of many tests say less. */
export function share(part: ReadonlySet<string>, whole: ReadonlySet<string>, frequency: Frequency): number {
  let all = 0;
  let found = 0;
  for (const word of part) {
    const weight = (/^\d|^.$/u.test(word) ? smallWeight : 1) / (frequency.get(word) ?? 1);
    all += weight;
    if (whole.has(word)) found += weight;
  }
  return all === 0 ? 0 : found / all;
}

/** This says in how many tests a word occurs. */
export type Frequency = ReadonlyMap<string, number>;

/** Counts words over tests. */
export function frequencyOf(tests: readonly ReadonlySet<string>[]): Frequency {
  const counts = new Map<string, number>();
  for (const tokens of tests) for (const word of tokens) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Numbers and names of one letter occur everywhere by chance. */
const smallWeight = 0.25;

/** Whether a word belongs to a language or an assertion library. */
export const isCommon = (word: string): boolean => common.has(word);

/** Words of languages and of assertion libraries: a rewrite from one style to another changes them all. */
const common = new Set(
  `const let var function async await return new true false null undefined None nil if else for of in do end def class self
  this test it each describe expect assert equal equals strictEqual deepEqual deepStrictEqual toBe toEqual toStrictEqual should
  to be not is ok t throws rejects resolves fn func fun pub mut use mod let assert_eq assertEquals assertEqual assertTrue
  assert_equal must_equal assertThat isEqualTo eq require Equal assertIsNone assertFalse Test void public
  i a an the and with when`.split(/\s+/),
);

/** Reduces a body to what is left without its title and the names it chose: equal for tests in which only names changed. */
export function shapeOf(text: string): string {
  const names = new Map<string, string>();
  const body = text.replace(/^[^\n]*?(["'`])(?:\\.|(?!\1).)*\1/, "");
  const named = body.replaceAll(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[\p{L}_$][\p{L}\p{N}_$]*/gu, (word) => {
    if (/^["']/.test(word)) return word;
    const known = names.get(word) ?? `#${names.size}`;
    names.set(word, known);
    return known;
  });
  return named.replaceAll(/\s+/g, " ").trim();
}
