import type { Node } from "../../../../syntax/parse.ts";
import type { TestReader } from "../../model.ts";
import { field, named, isConstant, partsOf } from "../shared/assertions.ts";
import type { Found, Place, Step } from "../shared/found.ts";
import * as walk from "../shared/walk.ts";
import type { Visit } from "../shared/walk.ts";
import { annotationsOf, type Annotations } from "./tests.ts";
import { chainOf, type Chain, type Link } from "./names.ts";
import { failures, visitJavaFlow } from "./flow.ts";
import { forceOfCondition, constants, forceOfHamcrest, forceOfLink, forceOfPlain } from "./assertions.ts";

/** Reads tests of JUnit 3 to 5 and TestNG, with AssertJ, Hamcrest and Mockito. */
export const java: TestReader = { read: (root) => walk.walkTests(root, visit) };

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

/** Notes what a chain of calls asserts, skips, replaces or calls; its arguments are visited next. */
export function visitChain({ links, root }: Chain, place: Place, found: Found): readonly Step[] {
  const [first] = links;
  if (first?.name === "assertThat" || first?.name === "then") noteSubject(links, place);
  else for (const link of links) noteLink(link, place, found);
  const steps = links.flatMap((link) => link.given.map((node): Step => [node, placeOf(link, place)]));
  return root === undefined ? steps : [[root, place], ...steps];
}

/** Each link of AssertJ that asserts counts, and of Hamcrest the matcher decides; a subject without either cannot fail. */
function noteSubject(links: readonly Link[], place: Place): void {
  const [first, ...rest] = links;
  if (first === undefined) return;
  const known = { name: first.name, parts: 1 };
  if (first.given.length > 1)
    return walk.addKnown(first.node, place, { ...known, force: forceOfHamcrest(first.given) });
  const forces = rest.map((link) => ({ link, force: forceOfLink(link, first.given[0]) }));
  if (forces.every(({ force }) => force === undefined))
    return walk.addKnown(first.node, place, { ...known, force: "vacuous" });
  for (const { link, force } of forces) {
    const parts = /^(?:contains|has)/.test(link.name) ? link.given.length : partsOfLists(link.given);
    if (force !== undefined) walk.addKnown(link.node, place, { name: first.name, force, parts });
  }
}

function noteLink(link: Link, place: Place, found: Found): void {
  const { name, given, node } = link;
  if (/^assum(?:e[A-Z]|ingThat)/.test(name)) {
    if (!given.every((one) => isConstant(one, constants) && one.text !== "false"))
      walk.addSkip(place, `${name}(), if it does not hold`);
    return;
  }
  if (/^(?:mock|mockStatic|mockConstruction)$/.test(name)) addMockOf(given[0], place, found);
  const force = forceOfPlain(link);
  if (force !== undefined) walk.addKnown(node, place, { name, force, parts: partsOfLists(given) });
  else if (/^(?:andExpect|expectStatus|expectBody|expectNext|expectError)/.test(name))
    walk.addAssertion(node, place, { force: "strong" });
  else if (!/^assert(?:All|Softly)$/.test(name)) walk.addCall(node, place, { name });
}

/** `List.of(1, 2, 3)` compares three values at once. */
function partsOfLists(given: readonly Node[]): number {
  const lists = given.map((one) => (/^(?:List|Set|Map|Arrays)\.\w+\(/.test(one.text) ? named(one).at(-1) : one));
  return partsOf(lists, listTypes);
}

const listTypes: ReadonlySet<string> = new Set(["argument_list", "array_initializer", "array_creation_expression"]);

/** Notes a mock of the class that a class of tests is named after; mocks of what it works with are fair. */
export function addMockOf(type: Node | undefined, place: Place, { mocks, imports }: Found): void {
  const name = type?.text.replace(/\.class$|<.*$/g, "") ?? "";
  const subjects = place.suite.titles
    .split(" > ")
    .map((title) => title.replace(/^Test(?=[A-Z])|(?:Tests?|IT|Spec)$/g, ""));
  if (type === undefined || !subjects.includes(name)) return;
  mocks.push({ target: imports.find((one) => one.endsWith(`.${name}`)) ?? name, line: walk.lineOf(type) });
}

/** Code that is expected to fail an assertion is no assertion. */
function placeOf({ name, given }: Link, place: Place): Place {
  const type = (given[0]?.text ?? "").replace(/\.class$/, "");
  if (!name.startsWith("assertThrows") || !failures.test(type)) return place;
  return { ...place, unreached: place.unreached ?? `are caught by \`${name}(${type}.class)\`` };
}
