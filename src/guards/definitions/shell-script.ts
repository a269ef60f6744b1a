/** The lines of a script for the shell, without comments and without what is only data. */
export function commandsOf(script: string): string {
  return linesOf(script)
    .map(({ text }) => text)
    .join("\n");
}

/** The first line that ends a script with success whatever it finds, while commands follow. */
export function earlyEnd(script: string): { readonly line: number; readonly text: string } | undefined {
  const lines = linesOf(script);
  let depth = 0;
  for (const [at, { line, text }] of lines.entries()) {
    if (depth === 0 && ends.test(text) && at < lines.length - 1) return { line, text };
    depth = Math.max(0, depth + count(text, opening) - count(text, closing));
  }
  return undefined;
}

const ends = /^\s*(?:exit(?:\s+0)?|return\s+0|exec\s+(?:true|:))\s*(?:[;#].*)?$/;
const opening = /(?:^|[;&|]|\b(?:then|do|else)\b)\s*(?:if|for|while|until|case|select)\b|[{(]\s*(?=$|#)/g;
const closing = /(?:^|[;&|])\s*(?:fi|done|esac)\b|^\s*[})]/g;

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

interface Line {
  readonly line: number;
  readonly text: string;
}

function linesOf(script: string): Line[] {
  const lines: Line[] = [];
  let word: string | undefined;
  for (const [at, text] of script.split(/\r?\n/).entries()) {
    if (word !== undefined) {
      if (text.trim() === word) word = undefined;
      continue;
    }
    word = /<<-?\s*(["']?)(\w+)\1/.exec(text)?.[2];
    if (!/^\s*(?:#|$)/.test(text)) lines.push({ line: at + 1, text });
  }
  return lines;
}
