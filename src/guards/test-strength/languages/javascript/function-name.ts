import { childAt, type Syntax } from "../../../../syntax/syntax.ts";
import { isFunction } from "./chain.ts";

/** The name that a function can be called by; undefined for one that is only handed on. */
export function functionName(node: Syntax): string | undefined {
  if (/^(?:(?:generator_)?function_declaration|method_definition)$/.test(node.type)) return childAt(node, "name")?.text;
  if (!isFunction(node)) return undefined;
  const { parent } = node;
  if (parent?.type === "variable_declarator" || parent?.type.endsWith("field_definition") === true) {
    return (childAt(parent, "name") ?? childAt(parent, "property"))?.text;
  }
  if (parent?.type === "pair") return childAt(parent, "key")?.text;
  return parent?.type === "assignment_expression" ? childAt(parent, "left")?.text.split(".").at(-1) : undefined;
}
