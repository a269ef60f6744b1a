import { splitFrontMatter } from "./front-matter.ts";
import { problemAt } from "./problem.ts";
import { decodeText } from "./text.ts";
import type { Problem } from "./types.ts";
import { parseYaml, type Source } from "./yaml.ts";

/** A markdown file that begins with YAML between two `---` lines. */
export interface MarkdownDocument extends Source {
  readonly body: string;
  /** The line of the file on which `body` begins. */
  readonly bodyLine: number;
  /** The whole file, without a byte order mark. */
  readonly text: string;
}

/** Splits a document into its settings and its prose; an unreadable one yields the first thing to fix. */
export function parseDocument(file: string, bytes: Uint8Array): MarkdownDocument | { readonly problems: Problem[] } {
  const decoded = decodeText(file, bytes);
  if ("problem" in decoded) return { problems: [decoded.problem] };
  const split = splitFrontMatter(decoded.text);
  if (split === "none") {
    const message = 'expected front matter: the first line must be "---"';
    return { problems: [problemAt(file, "no-front-matter", message)] };
  }
  if (split === "unclosed") {
    const message = 'the front matter that starts here is not closed: add a line "---" after its last key';
    return { problems: [problemAt(file, "unclosed-front-matter", message)] };
  }
  const source = parseYaml(file, split.yaml, 2);
  if ("problems" in source) return source;
  const { body, bodyLine } = split;
  return { ...source, body, bodyLine, text: decoded.text };
}
