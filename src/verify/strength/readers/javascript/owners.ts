import { ancestors, childAt, type Syntax } from "../../../../code/syntax.ts";
import { isFunction } from "./chain.ts";
import type { Declaration } from "./declarations.ts";

/** What an assertion belongs to: a test, or a function that has a name. */
export type Owner =
  | { readonly kind: "test"; readonly node: Syntax; readonly declaration: Declaration }
  | { readonly kind: "function"; readonly node: Syntax; readonly name: string };

/** Finds the nearest owner; undefined for hooks and what stands outside. */
export function ownerOf(node: Syntax, declared: ReadonlyMap<Syntax, Declaration>): Owner | undefined {
  for (const around of ancestors(node)) {
    const declaration = declared.get(around);
    if (declaration?.kind === "test") return { kind: "test", node: around, declaration };
    const name = functionName(around);
    if (name !== undefined) return { kind: "function", node: around, name };
  }
  return undefined;
}

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
