import type { Node } from "../../../../syntax/parse.ts";
import { field, isLong, named } from "../force.ts";

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

/** The title that a call gives to a suite or test: its words, constants as written; of a one-liner, what it does. */
export function titleOf({ given, block }: RubyCall): string {
  const words = given
    .filter(({ type }) => titles.has(type))
    .map((node) => (node.type === "string" ? wordsOf(node) : node.text));
  if (words.length > 0) return words.join(" ");
  const body = field(block, "body");
  return body === undefined || isLong(body) ? "" : body.text.replace(/\s+/g, " ").trim();
}

/** What a string says, with its interpolations as written. */
export function wordsOf(string: Node): string {
  return string.text.replace(/^%[qQ]?.|^["']|["')\]}]$/g, "");
}

/** Marks of a suite or test: `:focus`, `skip: "later"`; undefined where it is absent or false. */
export function markOf({ given }: RubyCall, key: string): string | undefined {
  for (const node of given) {
    if (node.type === "simple_symbol" && node.text === `:${key}`) return node.text;
    if (node.type !== "pair" || !/^:?(\w+)/.test(node.text)) continue;
    const value = field(node, "value");
    const isKey = field(node, "key")?.text.replace(/^:/, "") === key;
    if (isKey && value?.type !== "false" && value?.type !== "nil") return `${key}: ${(value?.text ?? "").slice(0, 40)}`;
  }
  return undefined;
}

const titles: ReadonlySet<string> = new Set(["string", "constant", "scope_resolution"]);
