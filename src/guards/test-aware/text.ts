import type { Node } from "../../syntax/parse.ts";
import { guardsLimits } from "../limits.ts";

/** A text of the same lines in which comments, and strings that are prose, are blank: what they mention is not done. */
export function codeOnly(root: Node, text: string): string {
  const strings = root.descendantsOfType(stringTypes).filter((node) => node !== null && isProse(node));
  const documentation = root.descendantsOfType("expression_statement").map((node) => node?.firstNamedChild ?? null);
  const alone = documentation.filter((node) => node !== null && stringTypes.includes(node.type));
  const blanks = [...root.descendantsOfType(comments), ...strings, ...alone].flatMap((node) => node ?? []);
  blanks.sort((a, b) => a.startIndex - b.startIndex);
  let shown = "";
  let at = 0;
  for (const node of blanks) {
    if (node.startIndex < at) continue;
    shown += text.slice(at, node.startIndex) + text.slice(node.startIndex, node.endIndex).replace(/[^\r\n]/g, " ");
    at = node.endIndex;
  }
  return shown + text.slice(at);
}

const comments = ["comment", "line_comment", "block_comment", "hash_bang_line"];
const stringTypes = [
  "string",
  "template_string",
  "string_literal",
  "raw_string_literal",
  "interpreted_string_literal",
  "text_block",
  "heredoc_body",
];

/** Words with blanks between them are prose. Long strings may contain code, so they are read as code. */
function isProse(node: Node): boolean {
  if (node.endIndex - node.startIndex > guardsLimits.guardedLineCharsMax) return false;
  return /\w\s+\w/.test(node.text) && !/[$#]?\{/.test(node.text);
}

/** Python reads a file as its first lines say; in most encodings but these, plain letters can mean others. */
export function hidingLines(text: string): number[] {
  const names = text.split("\n", 2).map((line) => /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1]);
  return names.flatMap((name, at) => (name === undefined || plainEncoding.test(name) ? [] : [at + 1]));
}

const plainEncoding =
  /^(?:utf[-_]?8(?:-sig)?|(?:us-?)?ascii|latin[-_]?\d+|iso[-_]?8859[-_]\d+|cp\d+|windows-\d+|euc[-_]\w+|gbk|gb\d+|shift_jis|big5)$/i;
