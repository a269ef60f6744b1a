import type { Node } from "../../../../syntax/parse.ts";
import { field, isLong, named } from "../shared/assertions.ts";
import { afterReturn, neverRuns, overNothing, underCondition } from "../shared/flow.ts";
import type { Found, Place, Step } from "../shared/found.ts";
import { childSteps, product, type Visit } from "../shared/walk.ts";
import { callOf } from "./names.ts";

/** Visits statements that decide whether what is in them is reached and heard, and what names stand for. */
export const visitRubyFlow: Visit = (node, place, found) => {
  switch (node.type) {
    case "body_statement":
    case "block_body":
    case "begin":
    case "then":
    case "program":
      return visitBody(node, place);
    case "rescue":
      return childSteps(node, underCondition(place));
    case "rescue_modifier":
      return childSteps(node, caughtBy(place, "rescue"));
    case "if":
    case "unless":
    case "elsif":
      return visitIf(node, place);
    case "if_modifier":
    case "unless_modifier":
      return visitModifier(node, place);
    case "case":
      return visitCase(node, place);
    case "assignment":
      found.tables.set(field(node, "left")?.text ?? "", rowsOf(field(node, "right"), found));
      return undefined;
    default:
      return undefined;
  }
};

/** Makes the place inside a block that `each`, `times` and the like run again and again. */
export function placeInLoop(call: Node, place: Place, found: Found): Place | undefined {
  const { name, receiver } = callOf(call);
  if (!/^(?:each|each_with_index|each_pair|map|times|each_with_object)$/.test(name) || receiver === undefined)
    return undefined;
  const rows = name === "times" ? Number(receiver.text) || null : rowsOf(receiver, found);
  if (rows === 0) return overNothing(place);
  return { ...place, times: product(place.times, rows ?? 1) ?? 1, cases: product(place.cases, rows) };
}

function visitBody(body: Node, place: Place): readonly Step[] {
  const parts = named(body);
  const swallowing = parts.find((part) => part.type === "rescue" && swallows(part));
  const inside = swallowing === undefined ? place : caughtBy(place, headOf(swallowing));
  let at = inside;
  return parts.map((part) => {
    if (clauses.has(part.type)) return [part, place];
    const here = at;
    at = placeAfter(part, at);
    return [part, here];
  });
}

const clauses: ReadonlySet<string> = new Set(["rescue", "else", "ensure"]);

function caughtBy(place: Place, how: string): Place {
  return { ...place, unreached: place.unreached ?? `are caught by \`${how}\`` };
}

function headOf(clause: Node): string {
  const exceptions = field(clause, "exceptions");
  return exceptions === undefined ? "rescue" : `rescue ${exceptions.text.slice(0, 80)}`;
}

/** Whether a handler of failed assertions neither raises nor asserts anything itself. */
function swallows(clause: Node): boolean {
  const exceptions = field(clause, "exceptions");
  const broad = exceptions === undefined || named(exceptions).some(({ text }) => failures.test(text));
  if (!broad || isLong(clause)) return broad;
  return !clause.descendantsOfType(["call", "identifier"]).some((node) => {
    const name = node?.type === "call" ? field(node, "method")?.text : node?.text;
    return /^(?:raise|fail|flunk|expect|assert\w*|refute\w*|must_\w+)$/.test(name ?? "");
  });
}

const failures =
  /^(?:StandardError|Exception|(?:\w+::)*(?:Assertion|AssertionFailedError|ExpectationNotMetError|UnexpectedError))$/;

function placeAfter(statement: Node, place: Place): Place {
  if (place.owner.kind === "hook") return place;
  if (ends.has(statement.type) || isExit(statement)) return afterReturn(place, true);
  if (!/^(?:if|unless)(?:_modifier)?$/.test(statement.type) || field(statement, "alternative") !== undefined)
    return place;
  const body = field(statement, "body") ?? field(statement, "consequence");
  const only = body?.type === "then" ? named(body) : body === undefined ? [] : [body];
  if (only.length !== 1 || !ends.has(only[0]!.type)) return place;
  const truth = truthOf(statement);
  return truth === false ? place : afterReturn(place, truth === true);
}

const ends: ReadonlySet<string> = new Set(["return", "next", "break"]);

function isExit(statement: Node): boolean {
  const name =
    statement.type === "call"
      ? field(statement, "method")?.text
      : statement.type === "identifier"
        ? statement.text
        : "";
  return name === "exit" || name === "exit!" || name === "abort";
}

/** Whether the body of an `if` or `unless` always or never runs; undefined where that depends. */
function truthOf(node: Node): boolean | undefined {
  const condition = field(node, "condition")?.type ?? "";
  if (!/^(?:true|false|nil)$/.test(condition)) return undefined;
  return (condition === "true") !== node.type.startsWith("unless");
}

function visitIf(node: Node, place: Place): readonly Step[] {
  const truth = truthOf(node);
  const then = field(node, "consequence");
  return childSteps(node, place).map(([child]) => {
    if (child.id === then?.id) return [child, truth === false ? neverRuns(place) : underCondition(place)];
    return [child, truth === true && /^els(?:e|if)$/.test(child.type) ? neverRuns(place) : place];
  });
}

function visitModifier(node: Node, place: Place): readonly Step[] {
  const body = field(node, "body");
  const inside = truthOf(node) === false ? neverRuns(place) : underCondition(place);
  return childSteps(node, place).map(([child]) => [child, child.id === body?.id ? inside : place]);
}

/** The last branch counts as the one that surely comes. */
function visitCase(node: Node, place: Place): readonly Step[] {
  const parts = named(node);
  return parts.map((part, index) => {
    return [part, part.type === "when" && index < parts.length - 1 ? underCondition(place) : place];
  });
}

/** Counts the rows of a literal array or hash, or of a name that stands for one. */
function rowsOf(node: Node | undefined, { tables }: Found): number | null {
  if (node?.type === "identifier" || node?.type === "constant") return tables.get(node.text) ?? null;
  if (node?.type === "call" && callOf(node).name === "freeze")
    return rowsOf(callOf(node).receiver, { tables } as Found);
  return node !== undefined && lists.has(node.type) ? named(node).length : null;
}

const lists: ReadonlySet<string> = new Set(["array", "hash", "string_array", "symbol_array"]);
