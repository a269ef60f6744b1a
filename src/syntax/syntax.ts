import type { Node } from "./parse.ts";

/** A named node as a plain object: it outlives its tree, and to ask for its parent costs nothing. */
export interface Syntax {
  readonly type: string;
  /** Its name in the parent, such as `condition`; "" where it has none. */
  readonly field: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Lines count from 1. */
  readonly line: number;
  readonly lastLine: number;
  readonly parent: Syntax | undefined;
  /** The place among the parent's children. */
  readonly index: number;
  readonly children: readonly Syntax[];
  /** Words between the named children: operators and keywords such as `const`. */
  readonly tokens: readonly string[];
}

interface Growing extends Syntax {
  readonly children: Growing[];
  readonly tokens: string[];
}

/** Copies a tree without recursion: all nodes in the order of the text, the root first. */
export function syntaxOf(root: Node, text: string): readonly [Syntax, ...Syntax[]] {
  const cursor = root.walk();
  const grow = (parent: Growing | undefined): Growing => {
    const { startIndex: start, endIndex: end, nodeType: type } = cursor;
    const lines = { line: cursor.startPosition.row + 1, lastLine: cursor.endPosition.row + 1 };
    const place = { field: cursor.currentFieldName ?? "", parent, index: parent?.children.length ?? 0 };
    return { type, start, end, ...lines, ...place, children: [], tokens: [], text: text.slice(start, end) };
  };
  const top = grow(undefined);
  const all: [Growing, ...Growing[]] = [top];
  let parent: Growing | undefined = top;
  let more = cursor.gotoFirstChild();
  while (parent !== undefined) {
    if (!more) {
      parent = parent.parent as Growing | undefined;
      cursor.gotoParent();
      more = parent !== undefined && cursor.gotoNextSibling();
    } else if (cursor.nodeIsNamed) {
      const node = grow(parent);
      parent.children.push(node);
      all.push(node);
      more = cursor.gotoFirstChild();
      if (more) parent = node;
      else more = cursor.gotoNextSibling();
    } else {
      parent.tokens.push(cursor.nodeType);
      more = cursor.gotoNextSibling();
    }
  }
  cursor.delete();
  return all;
}

/** Finds the child in a named place. */
export function childAt(node: Syntax | undefined, field: string): Syntax | undefined {
  return node?.children.find((child) => child.field === field);
}
