import type { Node } from "../../../../syntax/parse.ts";
import type { Over } from "../../model.ts";
import { field, isLong, named } from "../shared/assertions.ts";
import type { Found, Place, Step } from "../shared/found.ts";
import { afterReturn, neverRuns, overNothing, underCondition } from "../shared/flow.ts";
import { childSteps, product, type Visit } from "../shared/walk.ts";
import { broad, raising } from "./assertions.ts";
import { rowsOf } from "./tests.ts";
import { lastName, positional } from "./names.ts";

/** Visits statements that decide whether what is in them is reached and heard. */
export const visitFlow: Visit = (node, place, found) => {
  switch (node.type) {
    case "if_statement":
    case "elif_clause":
      return visitIf(node, place);
    case "while_statement":
      return isFalse(field(node, "condition")) ? childSteps(node, neverRuns(place)) : undefined;
    case "for_statement":
      return visitFor(node, place, found);
    case "try_statement":
      return visitTry(node, place);
    case "except_clause":
      return childSteps(node, underCondition(place));
    case "with_statement":
      return visitWith(node, place);
    case "match_statement":
      return visitMatch(node, place);
    default:
      return undefined;
  }
};

/** Statements in a row: what comes after a return is not reached, and what is bound again later is gone. */
export function visitBlock(block: Node, place: Place): readonly Step[] {
  const statements = named(block);
  const bound = new Map(statements.map((statement, index) => [boundName(statement), index]));
  let at = place;
  return statements.map((statement, index) => {
    const name = boundName(statement);
    const replaced = name !== undefined && place.owner.kind === "hook" && bound.get(name) !== index;
    const here = replaced ? { ...at, unreached: "belong to a test that another of its name replaces" } : at;
    at = placeAfter(statement, at);
    return [statement, here];
  });
}

function placeAfter(statement: Node, place: Place): Place {
  if (ends.has(statement.type))
    return { ...place, unreached: place.unreached ?? `come after a ${statement.type.split("_")[0]}` };
  if (statement.type === "expression_statement") {
    const call = named(statement)[0];
    return call?.type === "call" && exits.has(lastName(call)) ? { ...place, unreached: "come after an exit" } : place;
  }
  if (statement.type !== "if_statement" || field(statement, "alternative") !== undefined) return place;
  const then = field(statement, "consequence");
  const only = then === undefined ? [] : named(then);
  const returns = only.length === 1 && only[0]?.type === "return_statement";
  if (!returns || isFalse(field(statement, "condition"))) return place;
  return afterReturn(place, field(statement, "condition")?.text === "True");
}

const ends: ReadonlySet<string> = new Set(["return_statement", "break_statement", "continue_statement"]);
const exits: ReadonlySet<string> = new Set(["_exit", "exit", "quit"]);

/** Returns the name of a test or a class of tests that a statement binds. */
function boundName(statement: Node): string | undefined {
  const inner = statement.type === "expression_statement" ? named(statement)[0] : statement;
  const bound =
    inner?.type === "decorated_definition"
      ? field(field(inner, "definition"), "name")
      : inner?.type === "assignment"
        ? field(inner, "left")
        : inner?.type === "delete_statement"
          ? named(inner)[0]
          : field(inner, "name");
  return bound?.type === "identifier" && /^test/i.test(bound.text) ? bound.text : undefined;
}

function visitIf(node: Node, place: Place): readonly Step[] {
  const condition = field(node, "condition");
  return childSteps(node, place).map(([child]) => {
    if (child.type === "block") return [child, isFalse(condition) ? neverRuns(place) : underCondition(place)];
    const never = condition?.text === "True" && child.type.endsWith("_clause");
    return [child, never ? neverRuns(place) : place];
  });
}

function isFalse(condition: Node | undefined): boolean {
  return (
    condition !== undefined &&
    !isLong(condition) &&
    /^(?:False|0|None|not True|(?:typing\.)?TYPE_CHECKING)$/.test(condition.text)
  );
}

function visitFor(node: Node, place: Place, found: Found): readonly Step[] {
  const list = field(node, "right");
  const rows = rowsOf(list, found);
  const over = loopedOver(list, place, found);
  const inside = rows === 0 ? overNothing(place) : { ...place, over, times: product(place.times, rows ?? 1) ?? 1 };
  return childSteps(node, place).map(([child]) => [child, child.type === "block" ? inside : place]);
}

function visitTry(node: Node, place: Place): readonly Step[] {
  const swallowing = named(node).find((child) => child.type === "except_clause" && swallows(child));
  const caught =
    swallowing === undefined ? place : { ...place, unreached: `are caught by \`${firstLine(swallowing)}\`` };
  return childSteps(node, place).map(([child]) => [child, child.type === "block" ? caught : place]);
}

function firstLine(node: Node): string {
  return (node.text.split("\n", 1)[0] ?? "").slice(0, 80).replace(/:.*$/, "");
}

/** Whether a handler of failed assertions neither raises nor asserts anything itself. */
function swallows(clause: Node): boolean {
  const [first] = named(clause);
  const caught = first?.type === "as_pattern" ? named(first)[0] : first;
  const all = caught?.type === "tuple" ? named(caught) : caught === undefined ? [] : [caught];
  const hears = caught?.type === "block" || all.some((name) => broad.has(lastName(name)));
  return hears && (isLong(clause) || !speaksUp(clause));
}

function speaksUp(clause: Node): boolean {
  return clause
    .descendantsOfType(["raise_statement", "assert_statement", "call"])
    .some((node) => node !== null && (node.type !== "call" || /^(?:fail|assert)/.test(lastName(node))));
}

function visitWith(node: Node, place: Place): readonly Step[] {
  const clause = named(node).find(({ type }) => type === "with_clause");
  const calls = named(clause ?? node).flatMap((item) => contextCall(field(item, "value")));
  const catching = calls.find((call) => catches(call));
  const caught =
    catching === undefined ? place : { ...place, unreached: `are caught by \`${catching.text.slice(0, 80)}\`` };
  return childSteps(node, place).map(([child]) => [child, child.type === "block" ? caught : place]);
}

function contextCall(value: Node | undefined): Node[] {
  const call = value?.type === "as_pattern" ? named(value)[0] : value;
  return call?.type === "call" ? [call] : [];
}

function catches(call: Node): boolean {
  const name = lastName(call);
  return (raising.has(name) || name === "suppress") && positional(call).some((type) => broad.has(lastName(type)));
}

/** The last case counts as the one that surely comes. */
function visitMatch(node: Node, place: Place): readonly Step[] {
  const cases = named(field(node, "body") ?? node);
  return cases.map((one, index) => [one, index === cases.length - 1 ? place : underCondition(place)]);
}

/** Notes the parameters of a function: a helper may loop over the values of one. */
export function noteParameters(list: Node | undefined, { parameters }: Found): void {
  parameters.clear();
  for (const one of list === undefined ? [] : named(list)) {
    const inner = one.type === "typed_parameter" || one.type === "list_splat_pattern" ? (named(one)[0] ?? one) : one;
    const name = inner.type === "identifier" ? inner : (named(inner)[0] ?? inner);
    const isRest = [one.type, inner.type].includes("list_splat_pattern");
    if (parameters.size > 0 || !/^(?:self|cls)$/.test(name.text))
      parameters.set(name.text, { at: parameters.size, isRest });
  }
}

/** Finds the parameter that a loop of a helper goes over, also by `zip` and `enumerate`. */
export function loopedOver(list: Node | undefined, { owner, over }: Place, { parameters }: Found): Over | null {
  if (owner.kind !== "helper" || list === undefined) return over;
  const lists = list.type === "call" && /^(?:zip|enumerate)$/.test(lastName(list)) ? positional(list) : [list];
  const found = lists.flatMap((one) => (one.type === "identifier" ? (parameters.get(one.text) ?? []) : []));
  return found[0] ?? over;
}
