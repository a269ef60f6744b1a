import type { Node } from "../../../../syntax/parse.ts";
import { field, isLong, named } from "../shared/assertions.ts";

/** Returns `c` of `a.b.c`, of `c`, and of what they are called with. */
export function lastName(node: Node | undefined): string {
  const callee = node?.type === "call" ? field(node, "function") : node;
  if (callee?.type === "attribute") return field(callee, "attribute")?.text ?? "";
  return callee?.type === "identifier" ? callee.text : "";
}

/** Returns `a.b.c` as written; an empty text for anything but names. */
export function dotted(node: Node | undefined): string {
  if (node === undefined || (node.type !== "identifier" && node.type !== "attribute")) return "";
  return isLong(node) ? "" : node.text;
}

/** Returns the arguments without a name. */
export function positional(call: Node): Node[] {
  const list = field(call, "arguments");
  if (list === undefined || list.type !== "argument_list") return [];
  return named(list).filter(({ type }) => type !== "keyword_argument");
}

/** Returns the argument of this name. */
export function keyword(call: Node, name: string): Node | undefined {
  const list = field(call, "arguments");
  if (list === undefined || list.type !== "argument_list") return undefined;
  return field(
    named(list).find((at) => at.type === "keyword_argument" && field(at, "name")?.text === name),
    "value",
  );
}

/** Returns what a plain string says; undefined for anything else. */
export function stringOf(node: Node | undefined): string | undefined {
  if (node?.type !== "string") return undefined;
  return named(node)
    .filter(({ type }) => type === "string_content")
    .map(({ text }) => text)
    .join("");
}

/** Returns what the longest known beginning of `a.b.c` stands for, with the rest behind it. */
export function nextName(name: string, aliases: ReadonlyMap<string, string>): string {
  const parts = name.split(".");
  const length = parts.findLastIndex((_, at) => aliases.has(parts.slice(0, at + 1).join("."))) + 1;
  if (length === 0) return name;
  return [aliases.get(parts.slice(0, length).join(".")) ?? "", ...parts.slice(length)].join(".");
}

/** A name leads through a variable, a class and a module. */
export const namesInARowMax = 5;
