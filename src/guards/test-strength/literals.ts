/** A value as it is written in code; the same in any style of quotes or digits. */
export interface Literal {
  readonly value: string;
  /** The key of an entry, which says nothing about how much is claimed. */
  readonly isKey: boolean;
}

/** Literals that stand together: in one pair of brackets, those within included. */
export interface Written {
  readonly literals: readonly Literal[];
  readonly words: ReadonlySet<string>;
  /** The content of each pair of brackets, where it is short enough to be one example. */
  readonly groups: readonly (readonly Literal[])[];
}

/** More values than this are data, not an example that differs from others. */
export const exampleValuesMax = 24;

/** Reads the literals, names and brackets of a piece of code; comments say nothing. */
export function writtenIn(text: string, path: string): Written {
  const literals: Literal[] = [];
  const words = new Set<string>();
  const groups: Literal[][] = [];
  let open: Literal[][] = [];
  const add = (literal: Literal): void => {
    literals.push(literal);
    open = open.map((group) => (group.length > exampleValuesMax ? group : [...group, literal]));
  };
  for (const match of text.matchAll(lexer(path))) {
    const [token] = match;
    if (/^(?:\/\/|\/\*|#)/.test(token)) continue;
    if (/^[[({]$/.test(token)) open = open.length < bracketsMax ? [...open, []] : open;
    else if (/^[\])}]$/.test(token)) {
      const group = open.at(-1) ?? [];
      open = open.slice(0, -1);
      if (group.length > 0 && group.length <= exampleValuesMax) groups.push(group);
    } else if (isWord(token)) words.add(token);
    else
      add({
        value: valueOf(token),
        isKey: /^\s*(?::(?!:)|=>)/.test(text.slice(match.index + token.length, match.index + token.length + 4)),
      });
  }
  return { literals, words, groups };
}

/** Deeper ones are no tables of examples. */
const bracketsMax = 12;

const fixed: Readonly<Record<string, string>> = {
  true: "true",
  True: "true",
  false: "false",
  False: "false",
  null: "null",
  None: "null",
  nil: "null",
  undefined: "null",
};

const isWord = (token: string): boolean => /^[\p{L}_$]/u.test(token) && fixed[token] === undefined;

function valueOf(token: string): string {
  if (/^\d/.test(token)) return `number ${token.replaceAll("_", "").replace(/[.]0+$|(?<=\d)[nLufi]\w*$/, "")}`;
  if (/^["'`]/.test(token)) return `text ${token.replace(/^("""|'''|["'`])([\s\S]*)\1$/, "$2")}`;
  return fixed[token] ?? token.replaceAll(/\s/g, "");
}

/** Where `'` begins a single character or a lifetime, it does not begin a text. */
function lexer(path: string): RegExp {
  const comment = /\.(?:py|rb)$/.test(path) ? "#[^\\n]*" : "\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?\\*\\/";
  const single = /\.(?:rs|go|java)$/.test(path)
    ? "'(?:\\\\.|[^'\\\\\\n])'"
    : "'''[\\s\\S]*?'''|'(?:\\\\.|[^'\\\\\\n])*'";
  const text = '"""[\\s\\S]*?"""|"(?:\\\\.|[^"\\\\\\n])*"|`(?:\\\\.|[^`\\\\])*`';
  const word = "[\\p{L}_$][\\p{L}\\p{N}_$]*";
  return new RegExp(`${comment}|${text}|${single}|\\d[\\w.]*|${word}|\\[\\s*\\]|\\{\\s*\\}|[\\[\\](){}]`, "gu");
}
