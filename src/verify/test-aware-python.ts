/** Python reads a file as its first lines say; in most encodings but these, plain letters can mean others. */
export function hidingLines(text: string): number[] {
  const names = text.split("\n", 2).map((line) => /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1]);
  return names.flatMap((name, at) => (name === undefined || plainEncoding.test(name) ? [] : [at + 1]));
}

const plainEncoding =
  /^(?:utf[-_]?8(?:-sig)?|(?:us-?)?ascii|latin[-_]?\d+|iso[-_]?8859[-_]\d+|cp\d+|windows-\d+|euc[-_]\w+|gbk|gb\d+|shift_jis|big5)$/i;

/** Lines of a method for equality in Python that does not look at what it compares with. */
export function blindAnswers(code: string): number[] {
  const python =
    /\b__eq__\s*=\s*lambda\s+\w+\s*,\s*(\w+)\s*:(.*)|\bdef __eq__\(\s*\w+\s*,\s*(\w+)\b[^()]*\)[^:\n]*:\s*return\b(.*)/g;
  const blind = [...code.matchAll(python)].filter(([, name, value, other, answer]) =>
    isBlind(value ?? answer ?? "", name ?? other ?? ""),
  );
  return blind.flatMap(({ index, 0: text }) => {
    const first = code.slice(0, index).split("\n").length;
    return text.split("\n").map((_, at) => first + at);
  });
}

/** Whether an answer on one line is made without the other thing, and is not a refusal to answer. */
function isBlind(answer: string, other: string): boolean {
  const isWhole =
    (answer.match(/[([{]/g)?.length ?? 0) === (answer.match(/[)\]}]/g)?.length ?? 0) && !answer.includes("\\");
  return isWhole && !/^\s*(?:NotImplemented|False)?\s*$/.test(answer) && !new RegExp(`\\b${other}\\b`).test(answer);
}
