import { childAt, type Syntax } from "../../../../code/syntax.ts";
import { chainOf, unwrapped } from "./chain.ts";

/** What a file binds a name to, where it does so exactly once with `const`. */
export type Constants = ReadonlyMap<string, Syntax>;

/** Finds the names whose value can be read off the text. */
export function constantsOf(nodes: readonly Syntax[]): Constants {
  const found = new Map<string, Syntax>();
  const twice = new Set<string>();
  for (const node of nodes) {
    if (node.type !== "variable_declarator") continue;
    const name = childAt(node, "name")?.text ?? "";
    const value = childAt(node, "value");
    if (found.has(name) || value === undefined || !node.parent?.tokens.includes("const")) twice.add(name);
    else found.set(name, unwrapped(value));
  }
  for (const name of twice) found.delete(name);
  return found;
}

/** How many rows a literal list or table has; null where the text does not tell. */
export function rowsOf(list: Syntax | undefined, constants: Constants): number | null {
  if (list === undefined) return null;
  let node = unwrapped(list);
  if (node.type === "identifier") node = constants.get(node.text) ?? node;
  if (node.type === "template_string") return Math.max(0, node.text.trim().split("\n").length - 1);
  const items = node.children.filter(({ type }) => type !== "comment");
  if (node.type === "array" || node.type === "object") {
    return items.some(({ type }) => type === "spread_element") ? null : items.length;
  }
  if (node.type !== "call_expression") return null;
  const [root, method] = chainOf(node);
  const isListing = root?.name === "Object" && /^(?:entries|keys|values)$/.test(method?.name ?? "");
  return isListing ? objectRows(method?.args?.[0], constants) : null;
}

function objectRows(object: Syntax | undefined, constants: Constants): number | null {
  const node = object?.type === "identifier" ? constants.get(object.text) : object;
  return node?.type === "object" ? rowsOf(node, constants) : null;
}

/** Whether an expression has the same value whatever the code under test does. */
export function isConstant(node: Syntax, constants: Constants): boolean {
  const todo = [unwrapped(node)];
  for (let seen = 0; todo.length > 0 && seen < partsMax; seen += 1) {
    const next = unwrapped(todo.pop() ?? node);
    if (primitives.has(next.type)) continue;
    const bound = next.type === "identifier" ? constants.get(next.text) : undefined;
    if (bound !== undefined && primitives.has(bound.type)) continue;
    if (!composed.has(next.type)) return false;
    todo.push(...next.children.filter(({ type, field }) => field !== "key" && type !== "comment"));
  }
  return todo.length === 0;
}

/** Leaves of a literal that is expected: that many values are compared at once. */
export function leavesOf(node: Syntax | undefined): number {
  if (node === undefined) return 1;
  const todo = [node];
  let leaves = 0;
  for (let seen = 0; todo.length > 0 && seen < partsMax; seen += 1) {
    const next = unwrapped(todo.pop() ?? node);
    const value = next.type === "pair" ? childAt(next, "value") : undefined;
    const inner = value === undefined ? next.children.filter(({ type }) => type !== "comment") : [value];
    const isOpen = value !== undefined || next.type === "object" || next.type === "array";
    if (isOpen && inner.length > 0) todo.push(...inner);
    else leaves += 1;
  }
  return leaves;
}

/** Larger literals are data; no more of them is looked at. */
const partsMax = 1000;

const primitives = new Set(["number", "string", "true", "false", "null", "undefined", "regex", "string_fragment"]);
const composed = new Set(["array", "object", "pair", "unary_expression", "binary_expression", "template_string"]);

/** Whether a condition is the same always: true, false, or null where it depends. */
export function fixedTruth(condition: Syntax | undefined): boolean | null {
  if (condition === undefined) return null;
  let node = unwrapped(condition);
  let flips = false;
  while (node.type === "unary_expression" && node.tokens.includes("!")) {
    const [inner] = node.children;
    if (inner === undefined) return null;
    flips = !flips;
    node = unwrapped(inner);
  }
  const truth = plainTruth(node);
  return truth === null ? null : truth !== flips;
}

function plainTruth(node: Syntax): boolean | null {
  if (node.type === "true" || /^(?:array|object|regex|arrow_function)$/.test(node.type)) return true;
  if (node.type === "false" || node.type === "null" || node.type === "undefined") return false;
  if (node.type === "number") return Number(node.text.replaceAll("_", "")) !== 0;
  if (node.type === "string") return node.text.length > 2;
  const [left, right] = node.children;
  if (node.type !== "binary_expression" || left === undefined || right === undefined) return null;
  if (node.tokens.includes("&&") && (isFalse(left) || isFalse(right))) return false;
  return node.tokens.includes("||") && (isTrue(left) || isTrue(right)) ? true : null;
}

const isTrue = (node: Syntax): boolean => node.type === "true";
const isFalse = (node: Syntax): boolean => node.type === "false";
