/** Python reads a file as its first lines say; in most encodings but these, plain letters can mean others. */
export function hidingLines(text: string): number[] {
  const names = text.split("\n", 2).map((line) => /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1]);
  return names.flatMap((name, at) => (name === undefined || plainEncoding.test(name) ? [] : [at + 1]));
}

const plainEncoding =
  /^(?:utf[-_]?8(?:-sig)?|(?:us-?)?ascii|latin[-_]?\d+|iso[-_]?8859[-_]\d+|cp\d+|windows-\d+|euc[-_]\w+|gbk|gb\d+|shift_jis|big5)$/i;
