import type { Node } from "../../../../syntax/parse.ts";
import type { TestReader } from "../../model.ts";
import { field, named } from "../shared/assertions.ts";
import { visitBlock, visitFlow, noteParameters } from "./flow.ts";
import { asksFake, findMocks, noteImports, noteReplaced } from "./fakes.ts";
import { forceOfAssertion, forceOfCondition, partsOfAssertion } from "./assertions.ts";
import { decorations, marksOf, rowsOf, type Marks } from "./tests.ts";
import { dotted, lastName, positional } from "./names.ts";
import * as walk from "../shared/walk.ts";
import type { Found, Place, Step } from "../shared/found.ts";
import type { Visit } from "../shared/walk.ts";

/** Reads tests of pytest and unittest. */
export const python: TestReader = { read: (root) => walk.walkTests(root, visit, findMocks) };

const visit: Visit = (node, place, found) => {
  switch (node.type) {
    case "module":
    case "block":
      return visitBlock(node, place);
    case "decorated_definition":
      return visitDecorated(node, place, found);
    case "function_definition":
      return visitFunction(node, place, { found, marks: marksOf([], found) });
    case "class_definition":
      return visitClass(node, place, { found, marks: marksOf([], found) });
    case "assignment":
      visitAssignment(node, place, found);
      return undefined;
    case "assert_statement":
      walk.addAssertion(node, place, {
        force: asksFake(node, place, found) ? "vacuous" : forceOfCondition(named(node)[0]),
        parts: partsOfAssertion(node),
      });
      return undefined;
    case "import_statement":
    case "import_from_statement":
      noteImports(node, found);
      return [];
    case "raise_statement":
      if (lastName(named(node)[0]) === "SkipTest") walk.addSkip(place, "raise SkipTest");
      return undefined;
    case "call":
      visitCall(node, place, found);
      return undefined;
    default:
      return visitFlow(node, place, found);
  }
};

interface Definition {
  /** Visits a definition with the decorators above it, which contain the rows of tables. */
  readonly whole?: Node;
  readonly found: Found;
  readonly marks: Marks;
}

function visitDecorated(node: Node, place: Place, found: Found): readonly Step[] {
  const expressions = decorations(node);
  const definition = field(node, "definition");
  const context = { whole: node, found, marks: marksOf(expressions, found) };
  if (definition === undefined) return [];
  const isClass = definition.type === "class_definition";
  const steps = isClass ? visitClass(definition, place, context) : visitFunction(definition, place, context);
  const inside = steps[0]?.[1] ?? place;
  for (const call of expressions) if (call.type === "call") noteReplaced(call, inside, found);
  return steps;
}

function visitClass(node: Node, place: Place, { marks }: Definition): readonly Step[] {
  const title = field(node, "name")?.text ?? "";
  const isTestCase = named(field(node, "superclasses") ?? node).length > 0 && field(node, "superclasses") !== undefined;
  const suite = walk.inSuite(place, {
    title,
    collects: title.startsWith("Test") || isTestCase,
    skipped: marks.skipped,
  });
  const body = field(node, "body");
  return body === undefined ? [] : [[body, { ...suite, cases: walk.product(place.cases, marks.cases) }]];
}

function visitFunction(node: Node, place: Place, definition: Definition): readonly Step[] {
  const body = field(node, "body");
  noteParameters(field(node, "parameters"), definition.found);
  return body === undefined ? [] : [[body, ownPlace(node, place, definition)]];
}

function ownPlace(node: Node, place: Place, { whole = node, found, marks }: Definition): Place {
  const title = field(node, "name")?.text ?? "";
  if (place.owner.kind !== "hook") return walk.inHelper(node, place, { name: title, found });
  if (marks.fixture === "asked") return { ...walk.inHook(place, found), suite: { ...place.suite } };
  if (marks.fixture === "always" || hooks.test(title)) return walk.inHook(place, found);
  if (!title.startsWith("test") || !place.suite.collects) return walk.inHelper(node, place, { name: title, found });
  return walk.inTest(whole, place, { title, found, cases: marks.cases, skipped: marks.skipped });
}

const hooks = /^(?:async)?(?:setup|teardown)(?:_?(?:class|module|method|function))?$/i;

/** Notes what names stand for, and marks that are assigned instead of written above. */
function visitAssignment(node: Node, place: Place, found: Found): void {
  const [left, right] = [field(node, "left"), field(node, "right")];
  if (left === undefined || right === undefined) return;
  const name = left.text;
  if (left.type !== "identifier") return visitMember(node, place, found);
  if (name === "pytestmark" && place.owner.kind === "hook") {
    const { skipped } = marksOf(right.type === "list" ? named(right) : [right], found);
    if (skipped !== null) place.suite.skipped ??= `pytestmark = ${skipped.slice(1)}`;
  }
  if (name === "__test__" && right.text === "False") place.suite.skipped ??= "__test__ = False";
  const callee = dotted(right.type === "call" ? field(right, "function") : right);
  if (callee !== "") found.aliases.set(name, callee);
  const rows = rowsOf(right, found);
  found.tables.set(name, found.tables.has(name) && found.tables.get(name) !== rows ? null : rows);
}

/** Notes a member that is replaced, or that tests know under `self`. */
function visitMember(node: Node, place: Place, found: Found): void {
  const known = found.replaced.length;
  noteReplaced(node, place, found);
  if (found.replaced.length > known) return;
  const [left, right] = [field(node, "left"), field(node, "right")];
  const maker = right?.type === "call" ? dotted(field(right, "function")) : "";
  if (left?.type === "attribute" && maker !== "") found.aliases.set(dotted(left), maker);
}

function visitCall(node: Node, place: Place, found: Found): void {
  const name = lastName(node);
  noteReplaced(node, place, found);
  const how = skipOfCall(node, name);
  if (how !== undefined) return walk.addSkip(place, how);
  const claimed = forceOfAssertion(node);
  const force = claimed !== undefined && asksFake(node, place, found) ? "vacuous" : claimed;
  if (force !== undefined) walk.addKnown(node, place, { name, force, parts: partsOfAssertion(node) });
  else walk.addCall(node, place, { name, given: positional(node).map((one) => rowsOf(one, found) ?? 1) });
  for (const argument of positional(node)) {
    if (argument.type === "identifier") walk.addHanded(argument, place, argument.text);
  }
}

function skipOfCall(node: Node, name: string): string | undefined {
  if (!skips.has(name)) return undefined;
  const callee = field(node, "function");
  const object = callee?.type === "attribute" ? dotted(field(callee, "object")) : "";
  if (!speakers.has(object)) return undefined;
  return name === "importorskip" ? `${dotted(callee)}(), if it is missing` : `${dotted(callee)}()`;
}

const skips: ReadonlySet<string> = new Set(["skip", "xfail", "importorskip", "skipTest"]);
const speakers: ReadonlySet<string> = new Set(["", "pytest", "self", "cls"]);
