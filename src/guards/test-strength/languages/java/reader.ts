import type { Node } from "../../../../syntax/parse.ts";
import type { TestReader } from "../../model.ts";
import { field, named } from "../force.ts";
import { annotationsOf, type Annotations } from "./annotations.ts";
import { chainOf } from "./chain.ts";
import { addMockOf, visitChain } from "./calls.ts";
import { failures, visitJavaFlow } from "./flow.ts";
import { forceOfCondition } from "./force.ts";
import * as walk from "../walk.ts";
import type { Found, Place, Step } from "../found.ts";
import type { Visit } from "../walk.ts";

/** Reads tests of JUnit 3 to 5 and TestNG, with AssertJ, Hamcrest and Mockito. */
export const readJava: TestReader = (root) => walk.walkTests(root, visit);

const visit: Visit = (node, place, found) => {
  switch (node.type) {
    case "import_declaration":
      found.imports.push(named(node)[0]?.text ?? "");
      return [];
    case "class_declaration":
    case "record_declaration":
    case "interface_declaration":
    case "enum_declaration":
      return visitClass(node, place);
    case "method_declaration":
      return visitMethod(node, place, found);
    case "field_declaration":
      noteMock(node, place, found);
      return undefined;
    case "assert_statement":
      walk.addAssertion(node, place, { force: forceOfCondition(named(node)[0], true) });
      return undefined;
    case "throw_statement":
      noteThrow(node, place);
      return undefined;
    case "method_invocation":
      return visitChain(chainOf(node), place, found);
    case "method_reference":
      walk.addHanded(node, place, named(node).at(-1)?.text ?? "");
      return undefined;
    default:
      return visitJavaFlow(node, place, found);
  }
};

function visitClass(node: Node, place: Place): readonly Step[] {
  const { skipped } = annotationsOf(node);
  const above = field(node, "superclass")?.text ?? "";
  const suite = walk.inSuite(place, {
    title: field(node, "name")?.text ?? "",
    collects: /\bTestCase$/.test(above),
    skipped,
  });
  const body = field(node, "body");
  return body === undefined ? [] : [[body, suite]];
}

function visitMethod(node: Node, place: Place, found: Found): readonly Step[] {
  const body = field(node, "body");
  if (body === undefined) return [];
  const annotations = annotationsOf(node);
  const name = field(node, "name")?.text ?? "";
  if (isTest(name, place, annotations)) return [[body, testPlace(node, place, { name, found, annotations })]];
  const isHook =
    [...annotations.names].some((one) => hooks.test(one)) ||
    (place.suite.collects && /^(?:setUp|tearDown)$/.test(name));
  return [[body, isHook ? walk.inHook(place, found) : walk.inHelper(node, place, { name, found })]];
}

function isTest(name: string, place: Place, { names }: Annotations): boolean {
  return (place.suite.collects && name.startsWith("test")) || tests.some((one) => names.has(one));
}

const tests = ["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory", "Property"];
const hooks = /^(?:Before|After)(?:Each|All|Class|Method|Suite)?$/;

interface Method {
  readonly name: string;
  readonly found: Found;
  readonly annotations: Annotations;
}

function testPlace(node: Node, place: Place, { name, found, annotations }: Method): Place {
  const { cases, skipped, expected } = annotations;
  const inside = walk.inTest(node, place, { title: name, found, cases, skipped });
  if (expected === undefined) return inside;
  walk.addAssertion(node, inside, { force: /^(?:Exception|Throwable|Error)$/.test(expected) ? "weak" : "strong" });
  return failures.test(expected)
    ? { ...inside, unreached: inside.unreached ?? `are expected to fail by \`${expected}\`` }
    : inside;
}

function noteMock(node: Node, place: Place, found: Found): void {
  const { names } = annotationsOf(node);
  if (!["Mock", "MockBean", "MockitoBean"].some((one) => names.has(one))) return;
  addMockOf(field(node, "type"), place, found);
}

function noteThrow(node: Node, place: Place): void {
  const type = field(named(node)[0], "type")?.text ?? "";
  if (/(?:Skip|TestAborted|AssumptionViolated)\w*Exception$/.test(type)) walk.addSkip(place, `throw new ${type}()`);
  if (failures.test(type)) walk.addAssertion(node, place, { force: "weak" });
}
