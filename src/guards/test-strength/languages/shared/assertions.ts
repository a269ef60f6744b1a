import type { Node } from "../../../../syntax/parse.ts";
import { guardsLimits } from "../../../limits.ts";
import type { Force } from "../../model.ts";

/** The types of nodes that never change in a language, and of those that may do anything. */
export interface Constants {
  readonly literals: ReadonlySet<string>;
  /** Lists, parentheses and signs are constant where everything in them is. */
  readonly containers: ReadonlySet<string>;
  readonly calls: readonly string[];
}

/** Rates `a and b`, which fails where either does. */
export function both(a: Force, b: Force): Force {
  return order[a] >= order[b] ? a : b;
}

/** Rates `a or b`, which passes where either does. */
export function either(a: Force, b: Force): Force {
  return order[a] <= order[b] ? a : b;
}

const order: Readonly<Record<Force, number>> = { vacuous: 0, weak: 1, strong: 2 };

/** Rates a comparison: it demands nothing where both sides are constant or the same thing. */
export function comparison(sides: readonly [Node, Node], force: Force, constants: Constants): Force {
  const [left, right] = sides;
  if (isConstant(left, constants) && isConstant(right, constants)) return "vacuous";
  return isSame(left, right, constants) ? "vacuous" : force;
}

/** Whether a node is a literal, or a list or the like of nothing but literals. */
export function isConstant(node: Node, { literals, containers }: Constants): boolean {
  if (isLong(node)) return false;
  const stack = [node];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (literals.has(at.type)) continue;
    if (!containers.has(at.type)) return false;
    stack.push(...named(at));
  }
  return true;
}

/** Whether an expression is too long to be looked through. */
export function isLong(node: Node): boolean {
  return node.endIndex - node.startIndex > guardsLimits.expressionCharsMax;
}

/** Returns the children that are no comments. */
export function named(node: Node): Node[] {
  return node.namedChildren.flatMap((child) => (child === null || child.isExtra ? [] : [child]));
}

/** Returns the child of a field, if there is one. */
export function field(node: Node | undefined, name: string): Node | undefined {
  return node?.childForFieldName(name) ?? undefined;
}

/** Two calls of one function may differ, so only what is read twice is the same. */
function isSame(left: Node, right: Node, { calls }: Constants): boolean {
  if (isLong(left) || left.text !== right.text) return false;
  return left.descendantsOfType([...calls]).length === 0;
}

/** Counts the values that are compared at once: those of the largest literal list among two sides. */
export function partsOf(sides: readonly (Node | undefined)[], lists: ReadonlySet<string>): number {
  return Math.max(1, ...sides.map((side) => (side === undefined || isLong(side) ? 1 : leavesOf(side, lists))));
}

function leavesOf(node: Node, lists: ReadonlySet<string>): number {
  if (!lists.has(node.type)) return 1;
  let leaves = 0;
  const stack = [node];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (!lists.has(at.type)) leaves++;
    else if (at.type === "pair" || at.type === "keyed_element") stack.push(...named(at).slice(-1));
    else stack.push(...named(at));
  }
  return leaves;
}

/** Whether a name is that of a question that says something specific of what it is given. */
export function isPredicate(name: string, given: number): boolean {
  return given > 0 && predicates.test(name) && !kinds.test(name);
}

const predicates =
  /^(?:(?:is|has|can|contains?|includes?|include|starts?_?with|ends?_?with|equals?|eq|deep_?equal|all_?close|array_equal|match|matches|search|fullmatch|issubset|issuperset|errors_?is)(?:_\w+|[A-Z]\w*)?\??|isclose)$/i;
const kinds = /^(?:is_?instance\w*|is_?a\??|is_?subclass|has_?attr|kind_of\??|is_?type\w*)$/i;
