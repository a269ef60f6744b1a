import type { Node } from "../../../../syntax/parse.ts";
import { field, partsOf } from "../force.ts";
import * as walk from "../walk.ts";
import type { Found, Place, Step } from "../found.ts";
import { rowsOf } from "./flow.ts";
import { argumentsOf } from "./force.ts";
import { forceOfTestify } from "./testify.ts";

/** Calls that fail, skip or begin a test, and all others by their name. */
export function visitGoCall(node: Node, place: Place, found: Found): readonly Step[] | undefined {
  const callee = field(node, "function");
  const method = field(callee, "field")?.text ?? "";
  const speaks = isSpeaker(field(callee, "operand"), found);
  if (method === "Run" && speaks) return visitSubtest(node, place, found);
  if (speaks && /^Skip(?:f|Now)?$/.test(method)) return note(() => walk.addSkip(place, `t.${method}()`));
  if (speaks && /^(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/.test(method)) {
    return note(() => walk.addAssertion(node, place, { force: place.guard ?? "weak" }));
  }
  const force = forceOfTestify(node, found);
  const here = place.guard === null ? place : { ...place, doubtful: place.doubtful ?? "all stand under conditions" };
  if (force !== undefined)
    walk.addAssertion(node, here, { force, parts: partsOf(argumentsOf(node).slice(0, 3), literals) });
  else if (!speaks) noteCall(node, here, { callee, found });
  return undefined;
}

function note(act: () => void): undefined {
  act();
}

function noteCall(node: Node, place: Place, { callee, found }: { callee: Node | undefined; found: Found }): void {
  const name = callee?.type === "identifier" ? callee.text : (field(callee, "field")?.text ?? "");
  const given = argumentsOf(node);
  walk.addCall(node, place, { name, given: given.map((argument) => rowsOf(argument, found) ?? 1) });
  for (const argument of given) {
    if (argument.type === "identifier") walk.addHanded(argument, place, argument.text);
  }
}

/** `t`, by whatever name, and `s.T()` of a suite. */
function isSpeaker(operand: Node | undefined, { aliases }: Found): boolean {
  if (operand?.type === "identifier") return ["testing", "suite"].includes(aliases.get(operand.text) ?? "");
  return operand?.type === "call_expression" && field(field(operand, "function"), "field")?.text === "T";
}

/** A subtest with a title of its own is a test; one whose title is computed belongs to the test around it, once for each row. */
function visitSubtest(node: Node, place: Place, found: Found): readonly Step[] | undefined {
  const [title, body] = argumentsOf(node);
  if (title === undefined || body === undefined) return undefined;
  if (body.type === "identifier") walk.addHanded(body, place, body.text);
  if (!title.type.endsWith("string_literal") || body.type !== "func_literal") return undefined;
  const around = walk.inTestAsSuite(place);
  const inside = walk.inTest(node, { ...around, cases: place.times }, { title: title.text.slice(1, -1), found });
  return [[body, inside]];
}

const literals: ReadonlySet<string> = new Set([
  "composite_literal",
  "literal_value",
  "literal_element",
  "keyed_element",
]);
