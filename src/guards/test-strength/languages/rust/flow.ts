import type { Node } from "../../../../syntax/parse.ts";
import { field, named } from "../shared/assertions.ts";
import { afterReturn, neverRuns, overNothing, underCondition } from "../shared/flow.ts";
import type { Found, Place, Step } from "../shared/found.ts";
import { childSteps, inHelper, product, type Visit } from "../shared/walk.ts";
import { segments } from "./assertions.ts";

/** Visits expressions that decide whether what is in them is reached, and what names stand for. */
export const visitRustFlow: Visit = (node, place, found) => {
  switch (node.type) {
    case "if_expression":
      return visitIf(node, place);
    case "match_block":
      return visitArms(node, place);
    case "for_expression":
      return visitFor(node, place, found);
    case "let_declaration":
    case "const_item":
    case "static_item":
      return visitDeclaration(node, place, found);
    case "expression_statement":
      return catchesPanic(named(node)[0]) ? childSteps(node, caught(place)) : undefined;
    default:
      return undefined;
  }
};

/** Makes the place where the rest of a block stands once a statement is done. */
export function placeAfter(statement: Node, place: Place): Place {
  if (returns(statement)) return afterReturn(place, true);
  if (statement.type === "let_declaration")
    return onlyReturns(field(statement, "alternative")) ? afterReturn(place, false) : place;
  const inner = statement.type === "expression_statement" ? named(statement)[0] : statement;
  if (inner?.type !== "if_expression" || field(inner, "alternative") !== undefined) return place;
  const condition = field(inner, "condition")?.text;
  if (condition === "false" || !onlyReturns(field(inner, "consequence"))) return place;
  return afterReturn(place, condition === "true");
}

function returns(statement: Node | undefined): boolean {
  const inner = statement?.type === "expression_statement" ? named(statement)[0] : statement;
  if (inner?.type === "return_expression") return true;
  return inner?.type === "call_expression" && field(field(inner, "function"), "name")?.text === "exit";
}

function onlyReturns(block: Node | undefined): boolean {
  const statements = block === undefined ? [] : named(block);
  return statements.length === 1 && returns(statements[0]);
}

function visitIf(node: Node, place: Place): readonly Step[] {
  const condition = field(node, "condition")?.text;
  return childSteps(node, place).map(([child]) => {
    if (child.type === "block") return [child, condition === "false" ? neverRuns(place) : underCondition(place)];
    return [child, condition === "true" && child.type === "else_clause" ? neverRuns(place) : place];
  });
}

/** The last arm counts as the one that surely comes. */
function visitArms(block: Node, place: Place): readonly Step[] {
  const arms = named(block);
  return arms.map((arm, index) => [arm, index === arms.length - 1 ? place : underCondition(place)]);
}

function visitFor(node: Node, place: Place, found: Found): readonly Step[] {
  const rows = rowsOf(field(node, "value"), found);
  const inside = rows === 0 ? overNothing(place) : { ...place, times: product(place.times, rows ?? 1) ?? 1 };
  return childSteps(node, place).map(([child]) => [child, child.type === "block" ? inside : place]);
}

/** Counts the rows of a literal array or `vec!`, or of a name that stands for one, also behind `&` and `.iter()`. */
function rowsOf(node: Node | undefined, { tables }: Found): number | null {
  let at = node;
  for (let i = 0; i < wrappersMax; i++) {
    if (at?.type === "reference_expression") at = field(at, "value");
    else if (at?.type === "call_expression" && /^(?:into_)?iter$/.test(methodOf(at)))
      at = field(field(at, "function"), "value");
    else break;
  }
  if (at?.type === "identifier") return tables.get(at.text) ?? null;
  if (at?.type === "array_expression") return field(at, "length") === undefined ? named(at).length : null;
  if (at?.type !== "macro_invocation" || field(at, "macro")?.text !== "vec") return null;
  const tree = named(at).at(-1);
  return tree === undefined || tree.children.some((token) => token?.type === ";") ? null : segments(tree).length;
}

/** A list has no more wrappers such as `&` and `.iter()` around it. */
const wrappersMax = 4;

function methodOf(call: Node): string {
  return field(field(call, "function"), "field")?.text ?? "";
}

function visitDeclaration(node: Node, place: Place, found: Found): readonly Step[] | undefined {
  const [target, value] = [field(node, "pattern") ?? field(node, "name"), field(node, "value")];
  const isDropped = target === undefined || target.text.startsWith("_");
  if (isDropped && catchesPanic(value)) return childSteps(node, caught(place));
  if (target?.type !== "identifier" || value === undefined) return undefined;
  if (value.type === "closure_expression") return [[value, inHelper(node, place, { name: target.text, found })]];
  found.tables.set(target.text, rowsOf(value, found));
  return undefined;
}

function catchesPanic(value: Node | undefined): boolean {
  let at = value;
  for (let i = 0; i < wrappersMax && at?.type === "call_expression"; i++) {
    const callee = field(at, "function");
    const name = callee?.type === "identifier" ? callee.text : (field(callee, "name")?.text ?? "");
    if (name === "catch_unwind") return true;
    at = field(callee, "value");
  }
  return false;
}

function caught(place: Place): Place {
  return { ...place, unreached: place.unreached ?? "are caught by `catch_unwind`" };
}
