import type { Node } from "../../../../syntax/parse.ts";
import { field, isLong, named } from "../shared/assertions.ts";
import { afterReturn, neverRuns, oneAfterAnother, overNothing, underCondition } from "../shared/flow.ts";
import type { Found, Place, Step } from "../shared/found.ts";
import { childSteps, product, type Visit } from "../shared/walk.ts";

/** Visits statements that decide whether what is in them is reached and heard, and what names stand for. */
export const visitJavaFlow: Visit = (node, place, found) => {
  switch (node.type) {
    case "block":
      return oneAfterAnother(named(node), place, placeAfter);
    case "if_statement":
      return visitIf(node, place);
    case "enhanced_for_statement":
      return visitFor(node, place, found);
    case "try_statement":
    case "try_with_resources_statement":
      return visitTry(node, place);
    case "catch_clause":
      return childSteps(node, underCondition(place));
    case "variable_declarator":
      found.tables.set(field(node, "name")?.text ?? "", rowsOf(field(node, "value"), found));
      return undefined;
    default:
      return undefined;
  }
};

/** Errors that a failed assertion is. */
export const failures = /^(?:java\.lang\.)?(?:Throwable|Error|AssertionError|AssertionFailedError)$/;

function placeAfter(statement: Node, place: Place): Place {
  if (ends(statement)) return afterReturn(place, true);
  if (statement.type !== "if_statement" || field(statement, "alternative") !== undefined) return place;
  const then = field(statement, "consequence");
  const only = then?.type === "block" ? named(then) : then === undefined ? [] : [then];
  const condition = conditionOf(statement);
  if (only.length !== 1 || !ends(only[0]) || condition === "false") return place;
  return afterReturn(place, condition === "true");
}

function ends(statement: Node | undefined): boolean {
  if (statement?.type === "expression_statement")
    return !isLong(statement) && statement.text.startsWith("System.exit(");
  return statement?.type === "return_statement";
}

function conditionOf(statement: Node): string {
  const condition = field(statement, "condition");
  return condition === undefined ? "" : (named(condition)[0]?.text ?? "");
}

function visitIf(node: Node, place: Place): readonly Step[] {
  const condition = conditionOf(node);
  const [then, otherwise] = [field(node, "consequence"), field(node, "alternative")];
  return childSteps(node, place).map(([child]) => {
    if (child.id === then?.id) return [child, condition === "false" ? neverRuns(place) : underCondition(place)];
    return [child, child.id === otherwise?.id && condition === "true" ? neverRuns(place) : place];
  });
}

function visitFor(node: Node, place: Place, found: Found): readonly Step[] {
  const rows = rowsOf(field(node, "value"), found);
  const inside = rows === 0 ? overNothing(place) : { ...place, times: product(place.times, rows ?? 1) ?? 1 };
  const body = field(node, "body");
  return childSteps(node, place).map(([child]) => [child, child.id === body?.id ? inside : place]);
}

/** Counts the rows of a literal array, of `List.of(…)` and the like, or of a name that stands for one. */
function rowsOf(node: Node | undefined, { tables }: Found): number | null {
  if (node?.type === "identifier") return tables.get(node.text) ?? null;
  if (node?.type === "array_initializer") return named(node).length;
  if (node?.type === "array_creation_expression") {
    const value = field(node, "value");
    return value === undefined ? null : named(value).length;
  }
  if (node?.type !== "method_invocation" || !/^(?:of|asList)$/.test(field(node, "name")?.text ?? "")) return null;
  const list = field(node, "arguments");
  return list === undefined ? null : named(list).length;
}

function visitTry(node: Node, place: Place): readonly Step[] {
  const swallowing = named(node).find((child) => child.type === "catch_clause" && swallows(child));
  const caught = swallowing === undefined ? place : { ...place, unreached: `are caught by \`${headOf(swallowing)}\`` };
  const body = field(node, "body");
  return childSteps(node, place).map(([child]) => [child, child.id === body?.id ? caught : place]);
}

function headOf(clause: Node): string {
  return `catch (${named(clause)[0]?.text ?? ""})`.slice(0, 80);
}

/** Whether a handler of failed assertions neither throws nor asserts anything itself. */
function swallows(clause: Node): boolean {
  const parameter = named(clause).find(({ type }) => type === "catch_formal_parameter");
  const types =
    parameter === undefined
      ? []
      : named(parameter)
          .filter(({ type }) => type === "catch_type")
          .flatMap(named);
  if (!types.some(({ text }) => failures.test(text))) return false;
  if (isLong(clause)) return true;
  return !clause
    .descendantsOfType(["throw_statement", "method_invocation"])
    .some(
      (at) => at?.type === "throw_statement" || /^(?:assert|fail)/.test(field(at ?? undefined, "name")?.text ?? ""),
    );
}
