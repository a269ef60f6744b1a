import { childAt, type Syntax } from "../../../../syntax/syntax.ts";
import { argumentsOf, chainOf, isFunction } from "./names.ts";
import { fixedTruth, rowsOf, type Constants } from "./literals.ts";

/** How a place in the text is reached from the function or test that owns it. */
export interface Reach {
  /** Why it is never reached or heard, after "its assertions"; null where it is. */
  readonly lost: string | null;
  /** The condition it depends on, as written; null where there is none. */
  readonly condition: string | null;
  /** Rows of literal lists looped over on the way. */
  readonly rows: number;
  /** Whether a list was looped over whose rows are not to be seen. */
  readonly isOpen: boolean;
}

/** What reach needs to know of a file. */
export interface Ground {
  readonly constants: Constants;
  /** Whether something between two offsets fails a test: an assertion, a throw. */
  readonly failsWithin: (node: Syntax) => boolean;
  /** The whole chain of calls that a call is part of. */
  readonly chainAround: (call: Syntax) => Syntax;
}

/** Where a way begins. */
export const atHome: Reach = { lost: null, condition: null, rows: 1, isOpen: false };

/** Goes one step down, from a node to one of its children. */
export function stepTo(child: Syntax, from: Reach, ground: Ground): Reach {
  const { parent } = child;
  if (parent === undefined) return from;
  const looped = loopRows(parent, child, ground.constants);
  const lost = looped === 0 ? "run over an empty list" : lostAt(parent, child, ground);
  const condition = conditionAt(parent, child, ground);
  return joined(from, { lost, condition, rows: looped ?? 1, isOpen: looped === null });
}

/** Joins one way to another; the nearer one says more about the place. */
export function joined(outer: Reach, inner: Reach): Reach {
  return {
    lost: inner.lost ?? outer.lost,
    condition: inner.condition ?? outer.condition,
    rows: outer.rows * inner.rows,
    isOpen: outer.isOpen || inner.isOpen,
  };
}

function lostAt(parent: Syntax, child: Syntax, ground: Ground): string | null {
  if (blocks.test(parent.type)) return endBefore(parent, child);
  if (parent.type === "if_statement" || parent.type === "ternary_expression" || parent.type === "while_statement") {
    const truth = fixedTruth(childAt(parent, "condition"));
    const isDead = child.field === "alternative" ? truth === true : truth === false && child.field !== "condition";
    return isDead ? `stand behind \`${childAt(parent, "condition")?.text ?? ""}\`` : null;
  }
  if (parent.type === "binary_expression" && child.field === "right") return shortCircuit(parent);
  if (parent.type === "try_statement" && child.field === "body") return swallowedBy(parent, ground);
  if (parent.type === "expression_statement" && isFunction(child)) return "stand in a function that nothing calls";
  return parent.type === "call_expression" ? silencedBy(parent, child, ground) : null;
}

const blocks = /^(?:statement_block|program|switch_case|switch_default)$/;

function endBefore(block: Syntax, child: Syntax): string | null {
  const end = block.children[firstEnd(block)];
  if (end === undefined || end.index >= child.index) return null;
  if (end.type === "throw_statement") return "come after a throw";
  return end.type === "expression_statement" ? "come after the end of the process" : "come after a return";
}

const firstEnd = oncePerNode((block) => block.children.findIndex(endsAlways));

/** Each child asks its parent again, and a block may have thousands. */
function oncePerNode<T>(find: (node: Syntax) => T): (node: Syntax) => T {
  const found = new WeakMap<Syntax, { readonly value: T }>();
  return (node) => {
    const known = found.get(node) ?? { value: find(node) };
    found.set(node, known);
    return known.value;
  };
}

function endsAlways(statement: Syntax): boolean {
  if (/^(?:return|throw|break|continue)_statement$/.test(statement.type)) return true;
  if (statement.type === "expression_statement") return isExit(statement.children[0]);
  if (statement.type !== "if_statement" || fixedTruth(childAt(statement, "condition")) !== true) return false;
  return returnsIn(childAt(statement, "consequence"));
}

function isExit(expression: Syntax | undefined): boolean {
  return expression?.type === "call_expression" && /^(?:process|Deno)\??\.(?:exit|abort)\(/.test(expression.text);
}

function returnsIn(branch: Syntax | undefined): boolean {
  if (branch === undefined) return false;
  const statements = branch.type === "statement_block" ? branch.children : [branch];
  return statements.some(({ type, children }) => type === "return_statement" || isExit(children[0]));
}

function shortCircuit(parent: Syntax): string | null {
  const left = childAt(parent, "left");
  const truth = fixedTruth(left);
  const isDead = (parent.tokens.includes("&&") && truth === false) || (parent.tokens.includes("||") && truth === true);
  return isDead ? `stand behind \`${left?.text ?? ""}\`` : null;
}

/** A condition may be true or not; where the other branch fails the test, too, it makes no difference. */
function conditionAt(parent: Syntax, child: Syntax, ground: Ground): string | null {
  if (parent.type === "if_statement" || parent.type === "ternary_expression") {
    if (child.field === "condition") return null;
    const other = childAt(parent, child.field === "alternative" ? "consequence" : "alternative");
    if (other !== undefined && ground.failsWithin(other)) return null;
    return `if ${inParentheses(childAt(parent, "condition"))}`;
  }
  if (parent.type === "binary_expression" && child.field === "right" && /&&|\|\||\?\?/.test(parent.tokens.join(""))) {
    return childAt(parent, "left")?.text ?? null;
  }
  if (parent.type === "catch_clause") return needsThrow(parent, ground);
  return parent.type === "statement_block" ? returnBefore(parent, child, ground) : null;
}

function inParentheses(condition: Syntax | undefined): string {
  const text = condition?.text ?? "";
  return text.startsWith("(") ? text : `(${text})`;
}

/** An assertion in a catch is reached only if something throws; a `fail` in the try makes sure of it. */
function needsThrow(handler: Syntax, ground: Ground): string | null {
  const body = childAt(handler.parent, "body");
  return body === undefined || ground.failsWithin(body) ? null : "catch";
}

function returnBefore(block: Syntax, child: Syntax, ground: Ground): string | null {
  const early = block.children[firstEarlyReturn(block)];
  if (early === undefined || early.index >= child.index) return null;
  const branch = childAt(early, "consequence");
  if (branch !== undefined && ground.failsWithin(branch)) return null;
  return `if ${inParentheses(childAt(early, "condition"))} return`;
}

const firstEarlyReturn = oncePerNode((block) =>
  block.children.findIndex((node) => node.type === "if_statement" && returnsIn(childAt(node, "consequence"))),
);

function swallowedBy(statement: Syntax, ground: Ground): string | null {
  const finalizer = childAt(childAt(statement, "finalizer"), "body");
  if (returnsIn(finalizer)) return "stand in a try whose finally returns";
  const handler = childAt(statement, "handler");
  const body = childAt(handler, "body");
  if (body === undefined || passesOn(body, childAt(handler, "parameter")?.text, ground)) return null;
  return "stand in a try whose catch swallows them";
}

/** Whether what was caught is passed on: thrown, asserted, given to a callback, or kept for later. */
function passesOn(body: Syntax, error: string | undefined, ground: Ground): boolean {
  if (ground.failsWithin(body)) return true;
  if (error === undefined || body.text.length > handlerCharsMax) return false;
  const uses = new RegExp(
    String.raw`(?:^|[^\w$.])(?:${callbacks})\s*\(|[^=!<>]=\s*${escaped(error)}\b|\.push\(\s*${escaped(error)}\b`,
  );
  return uses.test(withoutComments(body));
}

/** What handles an error takes a few lines. */
const handlerCharsMax = 5000;

const callbacks = "done|reject|next|cb|callback|resolve";
const escaped = (name: string): string => name.replaceAll(/[^\w]/g, String.raw`\$&`);

function withoutComments(node: Syntax): string {
  return node.children
    .filter(({ type }) => type !== "comment")
    .map(({ text }) => text)
    .join("\n");
}

/** Says how a promise is silenced: it is not awaited, or its failure is caught and dropped. */
function silencedBy(call: Syntax, child: Syntax, ground: Ground): string | null {
  const last = chainOf(call).at(-1)?.name ?? "";
  if (child.field === "function") {
    if (last === "catch" && dropsAll(argumentsOf(call)[0], ground)) return "end in a catch that swallows them";
    return isAsync(child) && isFloating(call) ? "are not awaited" : null;
  }
  if (last !== "then" && last !== "finally") return null;
  const whole = ground.chainAround(call);
  return isFloating(whole) && !isTold(whole) ? "are not awaited" : null;
}

/** Whether a callback hears of the end of a chain, and with it the test. */
const isTold = oncePerNode((whole) => new RegExp(String.raw`\b(?:${callbacks}|end)\b`).test(whole.text));

function dropsAll(handler: Syntax | undefined, ground: Ground): boolean {
  if (handler === undefined || !isFunction(handler)) return handler === undefined || /noop/i.test(handler.text);
  const parameter = childAt(handler, "parameter") ?? childAt(handler, "parameters")?.children[0];
  const body = childAt(handler, "body");
  return body !== undefined && !passesOn(body, parameter?.text, ground);
}

function isAsync(callee: Syntax): boolean {
  const [inner] = callee.type === "parenthesized_expression" ? callee.children : [callee];
  return inner !== undefined && isFunction(inner) && inner.tokens.includes("async");
}

/** Whether the value of an expression is dropped on the spot. */
export function isFloating(expression: Syntax): boolean {
  let current = expression;
  while (current.parent?.type === "parenthesized_expression") current = current.parent;
  const parent = current.parent;
  if (parent?.type === "unary_expression" && parent.tokens.includes("void")) return true;
  return parent?.type === "expression_statement";
}

function loopRows(parent: Syntax, child: Syntax, constants: Constants): number | null {
  if (parent.type === "for_in_statement" && child.field === "body") {
    return rowsOf(childAt(parent, "right"), constants);
  }
  if (parent.type !== "call_expression" || child.field !== "arguments") return 1;
  const callee = childAt(parent, "function");
  const isLoop = /^(?:forEach|map)$/.test(chainOf(parent).at(-1)?.name ?? "");
  return isLoop ? rowsOf(childAt(callee, "object"), constants) : 1;
}
