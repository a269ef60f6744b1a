import type { Node } from "../../../../syntax/parse.ts";
import type { TestReader } from "../../model.ts";
import { field, isLong, named, partsOf } from "../shared/assertions.ts";
import type { Found, Place, Step } from "../shared/found.ts";
import * as walk from "../shared/walk.ts";
import type { Visit } from "../shared/walk.ts";
import { buildTagOf, skippedByName } from "./tests.ts";
import { visitGoFlow, rowsOf } from "./flow.ts";
import { argumentsOf, forceOfTestify } from "./assertions.ts";

/** Reads tests of Go's own `testing`, with testify and what is like it. */
export const go: TestReader = { read: (root) => walk.walkTests(root, visit), withName: skippedByName };

const visit: Visit = (node, place, found) => {
  switch (node.type) {
    case "source_file":
      place.suite.skipped ??= buildTagOf(node);
      return undefined;
    case "import_spec":
      found.imports.push((field(node, "path")?.text ?? "").slice(1, -1));
      return [];
    case "function_declaration":
      return visitFunction(node, place, found);
    case "method_declaration":
      return visitMethod(node, place, found);
    case "func_literal":
      noteSpeakers(field(node, "parameters"), found);
      return undefined;
    case "call_expression":
      return visitGoCall(node, place, found);
    default:
      return visitGoFlow(node, place, found);
  }
};

function visitFunction(node: Node, place: Place, found: Found): readonly Step[] {
  const body = field(node, "body");
  if (body === undefined) return [];
  noteSpeakers(field(node, "parameters"), found);
  noteParameters(field(node, "parameters"), found);
  return [[body, functionPlace(node, place, found)]];
}

function functionPlace(node: Node, place: Place, found: Found): Place {
  const name = field(node, "name")?.text ?? "";
  const takes = named(field(node, "parameters") ?? node).map((one) => field(one, "type")?.text);
  if (name === "TestMain") return visitMain(node, place, found);
  const tests =
    (/^Test(?![a-z])/.test(name) && takes[0] === "*testing.T") ||
    (/^Fuzz(?![a-z])/.test(name) && takes[0] === "*testing.F");
  if (tests) return walk.inTest(node, place, { title: name, found });
  const output = /^Example(?![a-z])/.test(name) ? outputOf(node) : undefined;
  if (output === undefined) return walk.inHelper(node, place, { name, found });
  const example = walk.inTest(node, place, { title: name, found });
  walk.addAssertion(output, example, { force: "strong" });
  return example;
}

/** Finds the comment with what an example prints: without it, the example is never run. */
function outputOf(node: Node): Node | undefined {
  const body = field(node, "body");
  const comments = body === undefined ? [] : [body, ...named(body)].flatMap((at) => at.namedChildren);
  return comments.find((at) => at?.type === "comment" && /^\/\/\s*(?:unordered )?output:/i.test(at.text)) ?? undefined;
}

/** A main that never runs the tests, or ends as if they had passed, hides all of them. */
function visitMain(node: Node, place: Place, found: Found): Place {
  const runs = node
    .descendantsOfType("field_identifier")
    .some((at) => at?.text === "Run" || at?.text === "VerifyTestMain");
  if (!runs) place.suite.skipped ??= "TestMain without m.Run()";
  const exits = node.descendantsOfType("call_expression").filter((at) => at !== null && !isLong(at));
  if (exits.some((at) => /^os\.Exit\(\s*0\s*\)$/.test(at?.text ?? "")))
    place.suite.skipped ??= "TestMain with os.Exit(0)";
  return walk.inHook(place, found);
}

/** Methods of suites of testify; of other types they are helpers. */
function visitMethod(node: Node, place: Place, found: Found): readonly Step[] {
  const body = field(node, "body");
  const name = field(node, "name")?.text ?? "";
  const receiver = named(field(node, "receiver") ?? node)[0];
  const isTest = /^Test(?![a-z])/.test(name) && named(field(node, "parameters") ?? node).length === 0;
  if (body === undefined) return [];
  noteSpeakers(field(node, "parameters"), found);
  noteParameters(field(node, "parameters"), found);
  const own = field(receiver, "name")?.text;
  if (own !== undefined && (isTest || hooks.test(name))) found.aliases.set(own, "suite");
  if (hooks.test(name)) return [[body, walk.inHook(place, found)]];
  if (!isTest) return [[body, walk.inHelper(node, place, { name, found })]];
  const type = (field(receiver, "type")?.text ?? "").replace(/^\*/, "");
  return [[body, walk.inTest(node, walk.inSuite(place, { title: type }), { title: name, found })]];
}

const hooks = /^(?:SetupSuite|SetupTest|SetupSubTest|TearDownSuite|TearDownTest|BeforeTest|AfterTest)$/;

/** Parameters may be lists that a helper loops over. */
function noteParameters(list: Node | undefined, { parameters }: Found): void {
  parameters.clear();
  for (const one of list === undefined ? [] : named(list)) {
    const isRest = one.type === "variadic_parameter_declaration";
    for (const name of one.childrenForFieldName("name")) parameters.set(name!.text, { at: parameters.size, isRest });
  }
}

/** Notes the names that a function has for the test that it can fail. */
function noteSpeakers(parameters: Node | undefined, { aliases }: Found): void {
  for (const one of parameters === undefined ? [] : named(parameters)) {
    const type = field(one, "type")?.text ?? "";
    if (!/^\*?testing\.(?:T|B|F|TB)$/.test(type)) continue;
    for (const name of one.childrenForFieldName("name")) aliases.set(name!.text, "testing");
  }
}

/** Notes calls that fail, skip or begin a test, and all others by their name. */
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
  const here = place.guard === null ? place : { ...place, doubtful: place.doubtful ?? "are all conditional" };
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

/** Whether something speaks for the test: `t`, by whatever name, and `s.T()` of a suite. */
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
