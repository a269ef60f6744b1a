import { languageOf, type Language } from "../../syntax/language.ts";
import { withTree, type Node } from "../../syntax/parse.ts";
import { words, type Words } from "./words.ts";

/** A place that makes a tool look away. */
export interface Mark {
  readonly line: number;
  /** Its line as written, without indentation. */
  readonly text: string;
  /** It applies to the whole file, or to all that follows. */
  readonly isWide: boolean;
}

/** Finds the marks of one file; a text that only mentions one in a string has none. One that cannot be parsed is refused by others. */
export async function marksIn(path: string, text: string): Promise<readonly Mark[]> {
  const language = languageOf(path);
  if (language === undefined) return [];
  const found = await withTree(text, language, (root) => {
    const lines = text.split(/\r?\n/);
    const { one, wide, closed } = words[family(language)];
    const context: Context = { one, wide, closed, lines };
    return [
      ...root.descendantsOfType(comments).flatMap((node) => (node === null ? [] : commentMark(node, context))),
      ...root.descendantsOfType(attributes).flatMap((node) => (node === null ? [] : attributeMark(node, context))),
      ...(/^(?:typescript|tsx)$/.test(language) ? anyTypes(root, context) : []),
    ];
  });
  return found ?? [];
}

interface Context extends Words {
  readonly lines: readonly string[];
}

const comments = ["comment", "line_comment", "block_comment"];
const attributes = ["inner_attribute_item", "attribute_item", "marker_annotation", "annotation"];

function family(language: Language): keyof typeof words {
  return language === "typescript" || language === "tsx" ? "javascript" : language;
}

function markAt({ startPosition }: Node, isWide: boolean, { lines }: Context): Mark {
  return { line: startPosition.row + 1, text: (lines[startPosition.row] ?? "").trim(), isWide };
}

/** Marks stand at the beginning of a comment, or of one that follows another in its line. */
function commentMark(node: Node, context: Context): Mark[] {
  const said = node.text.slice(0, markCharsMax).replace(/^(?:\/\*+!?|\/\/+!?|#+|\*)\s*/, "");
  const { one, wide, closed, lines } = context;
  const standsAlone = (lines[node.startPosition.row] ?? "").slice(0, node.startPosition.column).trim() === "";
  const isClosed = closed !== null && lines.slice(node.startPosition.row + 1).some((line) => closed.test(line));
  const isWide = wide.test(said) && standsAlone && !isClosed;
  return isWide || one.test(said) || wide.test(said) ? [markAt(node, isWide, context)] : [];
}

/** Longer comments say why, after the mark. */
const markCharsMax = 300;

/** `#![allow(…)]` at the top of a file applies to all of it, and `@SuppressWarnings("all")` to its class. */
function attributeMark(node: Node, context: Context): Mark[] {
  const said = node.text.slice(0, markCharsMax);
  if (node.type.endsWith("annotation")) {
    if (!/^@(?:java\.lang\.)?(?:SuppressWarnings|SuppressFBWarnings)\b/.test(said)) return [];
    return [markAt(node, /"all"/.test(said), context)];
  }
  if (!/^#!?\[\s*(?:(?:allow|expect)\s*\(|cfg_attr\s*\(.*,\s*(?:allow|expect)\s*\()/s.test(said)) return [];
  const isWide = node.type === "inner_attribute_item" && node.parent?.type === "source_file";
  return [markAt(node, isWide, context)];
}

/** `as any` and `: any`, which say to a type checker that nothing is known. */
function anyTypes(root: Node, context: Context): Mark[] {
  const types = root.descendantsOfType("predefined_type").flatMap((node) => (node?.text === "any" ? [node] : []));
  const alone = types.filter(({ parent }) =>
    /^(?:as_expression|type_annotation|type_assertion|type_arguments)$/.test(parent?.type ?? ""),
  );
  return alone.map((node) => markAt(node, false, context));
}
