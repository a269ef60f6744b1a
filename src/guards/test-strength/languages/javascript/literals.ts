import { childAt, type Syntax } from "../../../../syntax/syntax.ts";
import { chainOf, unwrapped } from "./names.ts";

/** What an identifier stands for, where the file binds it with `const`. */
export type Constants = (identifier: Syntax) => Syntax | undefined;

interface Binding {
  readonly scope: Syntax;
  readonly value: Syntax | undefined;
}

/** Finds the names whose value can be read off the text; of two with one name, the nearer one counts. */
export function constantsOf(nodes: readonly Syntax[]): Constants {
  const bindings = new Map<string, Binding[]>();
  for (const node of nodes) {
    if (node.type !== "variable_declarator") continue;
    const name = childAt(node, "name")?.text ?? "";
    const value = node.parent?.tokens.includes("const") === true ? childAt(node, "value") : undefined;
    const known = bindings.get(name) ?? [];
    if (known.length < bindingsMax) known.push({ scope: scopeOf(node), value });
    bindings.set(name, known);
  }
  return ({ text, start }) => {
    const around = (bindings.get(text) ?? []).filter(({ scope }) => scope.start <= start && start < scope.end);
    const [nearest] = around.toSorted((one, other) => other.scope.start - one.scope.start);
    return nearest?.value === undefined ? undefined : unwrapped(nearest.value);
  };
}

/** Every use of a name looks at all its bindings. */
const bindingsMax = 100;

function scopeOf(declarator: Syntax): Syntax {
  let scope = declarator;
  while (scope.parent !== undefined && !/^(?:statement_block|program)$/.test(scope.type)) scope = scope.parent;
  return scope;
}

/** Counts how many rows a literal list or table has at least; null where the text does not show it. */
export function rowsOf(list: Syntax | undefined, constants: Constants, depth = 0): number | null {
  if (list === undefined || depth > rowsDepthMax) return null;
  let node = unwrapped(list);
  if (node.type === "identifier") node = constants(node) ?? node;
  if (node.type === "template_string") return Math.max(0, node.text.trim().split("\n").length - 1);
  if (node.type === "array" || node.type === "object") {
    const items = node.children.filter(({ type }) => type !== "comment");
    const counts = items.map((item) =>
      item.type === "spread_element" ? (rowsOf(item.children[0], constants, depth + 1) ?? 0) : 1,
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }
  return node.type === "call_expression" ? rowsMadeBy(node, constants, depth + 1) : null;
}

/** Counts the rows of `Object.entries(table)` and `list.map(…)`; a call that takes a part of a list may leave nothing of it. */
function rowsMadeBy(call: Syntax, constants: Constants, depth: number): number | null {
  const last = chainOf(call).at(-1);
  const object = childAt(childAt(call, "function"), "object");
  if (object?.text === "Object" && /^(?:entries|keys|values)$/.test(last?.name ?? "")) {
    return rowsOf(last?.args?.[0], constants, depth);
  }
  if (last?.name === "map") return rowsOf(object, constants, depth);
  const isPart = /^(?:slice|filter|splice)$/.test(last?.name ?? "") && rowsOf(object, constants, depth) !== null;
  return isPart ? 1 : null;
}

/** Tables are made of tables a few times at most. */
const rowsDepthMax = 10;

/** Whether an expression has the same value whatever the code under test does. */
export function isConstant(node: Syntax, constants: Constants): boolean {
  const todo = [unwrapped(node)];
  for (let seen = 0; todo.length > 0 && seen < partsMax; seen += 1) {
    const next = unwrapped(todo.pop() ?? node);
    if (primitives.has(next.type)) continue;
    const bound = next.type === "identifier" ? constants(next) : undefined;
    if (bound !== undefined && primitives.has(bound.type)) continue;
    if (!composed.has(next.type)) return false;
    todo.push(...next.children.filter(({ type, field }) => field !== "key" && type !== "comment"));
  }
  return todo.length === 0;
}

/** Counts the leaves of a literal that is expected: that many values are compared at once. */
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
