import type { Node } from "../../../../syntax/parse.ts";
import { field, named } from "../shared/assertions.ts";

/** A call of Ruby, with and without parentheses, block and receiver. */
export interface RubyCall {
  readonly node: Node;
  readonly name: string;
  readonly receiver: Node | undefined;
  readonly given: readonly Node[];
  readonly block: Node | undefined;
}

/** Reads a call. */
export function callOf(node: Node): RubyCall {
  const list = field(node, "arguments");
  return {
    node,
    name: field(node, "method")?.text ?? "",
    receiver: field(node, "receiver"),
    given: list === undefined ? [] : named(list),
    block: field(node, "block"),
  };
}

/** Returns what a string says, with its interpolations as written. */
export function wordsOf(string: Node): string {
  return string.text.replace(/^%[qQ]?.|^["']|["')\]}]$/g, "");
}
