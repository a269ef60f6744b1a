import type { Node } from "../../../../syntax/parse.ts";
import { field, named } from "../shared/assertions.ts";
import { afterReturn, neverRuns, oneAfterAnother, overNothing, underCondition } from "../shared/flow.ts";
import type { Found, Place, Step } from "../shared/found.ts";
import { childSteps, inHelper, product, type Visit } from "../shared/walk.ts";
import { forceOfFailure } from "./assertions.ts";

/** Visits statements that decide whether what is in them is reached, and what names stand for. */
export const visitGoFlow: Visit = (node, place, found) => {
  switch (node.type) {
    case "statement_list":
      return oneAfterAnother(named(node), place, placeAfter);
    case "if_statement":
      return visitIf(node, place);
    case "for_statement":
      return visitFor(node, place, found);
    case "expression_case":
    case "type_case":
    case "communication_case":
    case "default_case":
      return childSteps(node, { ...place, guard: place.guard ?? "weak" });
    case "short_var_declaration":
    case "var_spec":
    case "const_spec":
    case "assignment_statement":
      return visitDeclaration(node, place, found);
    default:
      return undefined;
  }
};

function placeAfter(statement: Node, place: Place): Place {
  if (statement.type === "return_statement" || exits(statement)) return afterReturn(place, true);
  if (statement.type !== "if_statement" || field(statement, "alternative") !== undefined) return place;
  const then = statementsOf(field(statement, "consequence"));
  if (then.length !== 1 || (then[0]?.type !== "return_statement" && !exits(then[0]))) return place;
  const condition = field(statement, "condition")?.text;
  return condition === "false" ? place : afterReturn(place, condition === "true");
}

function exits(statement: Node | undefined): boolean {
  const call = statement?.type === "expression_statement" ? named(statement)[0] : undefined;
  const name = call?.type === "call_expression" ? field(call, "function")?.text : undefined;
  return name === "os.Exit" || name === "runtime.Goexit";
}

function statementsOf(block: Node | undefined): Node[] {
  return (block === undefined ? [] : named(block)).flatMap((child) =>
    child.type === "statement_list" ? named(child) : [child],
  );
}

/** `if got != want { t.Error() }` is an assertion: the condition tells its force, and only a second `if` makes it doubtful. */
function visitIf(node: Node, place: Place): readonly Step[] {
  const condition = field(node, "condition");
  const nested = place.guard === null ? place : underCondition(place);
  const then = { ...nested, guard: forceOfFailure(condition, true) };
  const otherwise = { ...place, guard: forceOfFailure(condition, false) };
  const blocks = [field(node, "consequence"), field(node, "alternative")];
  const about = named(node).filter((child) => !blocks.some((block) => block?.id === child.id));
  return [
    ...about.map((child) => [child, place] as const),
    ...stepOf(blocks[0], condition?.text === "false" ? neverRuns(then) : then),
    ...stepOf(blocks[1], condition?.text === "true" ? neverRuns(otherwise) : otherwise),
  ];
}

function stepOf(node: Node | undefined, place: Place): Step[] {
  return node === undefined ? [] : [[node, place]];
}

function visitFor(node: Node, place: Place, found: Found): readonly Step[] {
  const range = named(node).find(({ type }) => type === "range_clause");
  const list = field(range, "right");
  const rows = rowsOf(list, found);
  const over = (place.owner.kind === "helper" && found.parameters.get(list?.text ?? "")) || place.over;
  const inside = rows === 0 ? overNothing(place) : { ...place, over, times: product(place.times, rows ?? 1) ?? 1 };
  return childSteps(node, place).map(([child]) => [child, child.type === "block" ? inside : place]);
}

/** Counts the rows of a literal slice, array or map, or of a name that stands for one. */
export function rowsOf(node: Node | undefined, { tables, parameters }: Found): number | null {
  if (node?.type === "identifier") return parameters.has(node.text) ? null : (tables.get(node.text) ?? null);
  if (node?.type !== "composite_literal" || !lists.has(field(node, "type")?.type ?? "")) return null;
  const body = field(node, "body");
  return body === undefined ? null : named(body).length;
}

const lists: ReadonlySet<string> = new Set(["slice_type", "array_type", "implicit_length_array_type", "map_type"]);

function visitDeclaration(node: Node, place: Place, found: Found): readonly Step[] | undefined {
  const [left, right] = [field(node, "left") ?? field(node, "name"), field(node, "right") ?? field(node, "value")];
  const target = left?.type === "expression_list" ? named(left)[0] : left;
  const value = right?.type === "expression_list" ? named(right)[0] : right;
  if (target?.type !== "identifier" || value === undefined) return undefined;
  const name = target.text;
  if (value.type === "func_literal") return [[value, inHelper(node, place, { name, found })]];
  if (value.type === "call_expression" && field(field(value, "function"), "field")?.text === "New")
    found.aliases.set(name, asserterOf(value));
  const rows = rowsOf(value, found);
  found.tables.set(name, rows);
  return undefined;
}

function asserterOf(call: Node): string {
  const maker = field(field(call, "function"), "operand")?.text ?? "";
  return /^(?:assert|require|is|qt)$/.test(maker) ? "asserter" : "";
}
