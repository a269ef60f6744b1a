import { childAt, type Syntax } from "../../../../syntax/syntax.ts";

/** One step of a chain of members and calls; `args` where it is called. */
export interface Link {
  readonly name: string;
  readonly args: readonly Syntax[] | undefined;
}

/** Reads `expect(x).not.toBe(3)` as its steps from the left: expect(x), not, toBe(3). A call of a call has no name. */
export function chainOf(node: Syntax): readonly Link[] {
  const links: Link[] = [];
  let current: Syntax | undefined = node;
  let args: readonly Syntax[] | undefined;
  while (current !== undefined && links.length < linksMax) {
    current = unwrapped(current);
    if (current.type === "call_expression") {
      if (args !== undefined) links.unshift({ name: "", args });
      args = argumentsOf(current);
      current = childAt(current, "function");
    } else if (current.type === "member_expression" || current.type === "subscript_expression") {
      links.unshift({ name: memberName(current), args });
      args = undefined;
      current = childAt(current, "object");
    } else {
      const name = rootTypes.has(current.type) ? current.text : "";
      return [{ name, args }, ...links];
    }
  }
  return links;
}

/** Longer ones are generated; reading each of their calls anew would take the square of their length. */
const linksMax = 40;
const rootTypes = new Set(["identifier", "this", "import"]);

/** Whether a chain ends here, so that it is read once and not again from each of its calls. */
export function isChainEnd(node: Syntax): boolean {
  if (node.type !== "call_expression" && node.type !== "member_expression" && node.type !== "subscript_expression")
    return false;
  let { parent } = node;
  let { field } = node;
  while (parent !== undefined && wrapping.has(parent.type)) ({ parent, field } = parent);
  return !(field === "function" && parent?.type === "call_expression") && field !== "object";
}

const wrapping = new Set(["parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression"]);

/** Returns the expression inside parentheses, types and `await`. */
export function unwrapped(node: Syntax): Syntax {
  let current = node;
  while (wrapping.has(current.type) || current.type === "await_expression") {
    const [inner] = current.children;
    if (inner === undefined) return current;
    current = inner;
  }
  return current;
}

/** Returns what stands between the parentheses of a call, or its template. */
export function argumentsOf(call: Syntax): readonly Syntax[] {
  const found = childAt(call, "arguments");
  if (found === undefined) return [];
  return found.type === "arguments" ? found.children.filter(({ type }) => type !== "comment") : [found];
}

/** Returns the text of a string, or of an expression as written. */
export function wordsOf(node: Syntax): string {
  const quoted = node.type === "string" || node.type === "template_string";
  return quoted ? node.text.slice(1, -1) : node.text;
}

/** Whether a node is a function that is written right here. */
export function isFunction(node: Syntax): boolean {
  return node.type === "arrow_function" || node.type === "function_expression";
}

function memberName(node: Syntax): string {
  const name = childAt(node, "property") ?? childAt(node, "index");
  return name === undefined ? "" : wordsOf(name);
}

/** Returns the name that a function can be called by; undefined for one that is only handed on. */
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
