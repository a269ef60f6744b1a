import type { Node } from "../../../../syntax/parse.ts";
import type { TestReader } from "../../model.ts";
import { field, partsOf } from "../shared/assertions.ts";
import type { Found, Place, Step } from "../shared/found.ts";
import * as walk from "../shared/walk.ts";
import type { Visit } from "../shared/walk.ts";
import { constants, forceOfAssert, forceOfExpect, forceOfSpec } from "./assertions.ts";
import { placeInLoop, visitRubyFlow } from "./flow.ts";
import { callOf, wordsOf, type RubyCall } from "./names.ts";
import { declaredBy } from "./tests.ts";

/** Reads tests of minitest, test-unit and RSpec. */
export const ruby: TestReader = { read: (root) => walk.walkTests(root, visit) };

const visit: Visit = (node, place, found) => {
  switch (node.type) {
    case "class":
    case "module":
      return visitClass(node, place);
    case "method":
    case "singleton_method":
      return visitMethod(node, place, found);
    case "call":
      return visitCall(node, place, found);
    case "binary":
      noteShould(node, place);
      return undefined;
    case "identifier":
      visitName(node, place);
      return [];
    default:
      return visitRubyFlow(node, place, found);
  }
};

function visitClass(node: Node, place: Place): readonly Step[] {
  const title = field(node, "name")?.text ?? "";
  const suite = walk.inSuite(place, { title, collects: field(node, "superclass") !== undefined });
  const body = field(node, "body");
  return body === undefined ? [] : [[body, suite]];
}

function visitMethod(node: Node, place: Place, found: Found): readonly Step[] {
  const body = field(node, "body");
  const name = field(node, "name")?.text ?? "";
  if (body === undefined && !name.startsWith("test_")) return [];
  return body === undefined ? emptyTest(node, place, found) : [[body, ownPlace(node, place, { name, found })]];
}

function emptyTest(node: Node, place: Place, found: Found): readonly Step[] {
  ownPlace(node, place, { name: field(node, "name")?.text ?? "", found });
  return [];
}

function ownPlace(node: Node, place: Place, { name, found }: { readonly name: string; readonly found: Found }): Place {
  const declares = place.owner.kind === "hook" && place.suite.collects && node.type === "method";
  if (declares && name.startsWith("test_")) return walk.inTest(node, place, { title: name, found });
  if (declares && /^(?:(?:before|after)_)?(?:setup|teardown)$/.test(name)) return walk.inHook(place, found);
  return walk.inHelper(node, place, { name, found });
}

/** Notes `x.should == 1`. */
function noteShould(node: Node, place: Place): void {
  const left = field(node, "left");
  const asks = left?.type === "call" ? field(left, "method")?.text : undefined;
  if (asks === "should")
    walk.addAssertion(node, place, { force: field(node, "operator")?.text === "==" ? "strong" : "weak" });
  if (asks === "should_not") walk.addAssertion(node, place, { force: "weak" });
}

/** A name alone may be a call. */
function visitName(node: Node, place: Place): void {
  const name = node.text;
  if (/^(?:skip|pending|omit|pend)$/.test(name) && place.owner.kind === "test") return walk.addSkip(place, name);
  if (name === "flunk") return walk.addAssertion(node, place, { force: "weak" });
  walk.addHanded(node, place, name);
}

/** Notes calls that declare suites and tests, assert, skip or replace, and all others by their name. */
function visitCall(node: Node, place: Place, found: Found): readonly Step[] | undefined {
  const call = callOf(node);
  const { name, block } = call;
  if (name === "require" || name === "require_relative") return noteImport(call, found);
  const declared = declaredBy(call, place, found);
  if (declared !== undefined) return declared;
  noteCall(call, place, found);
  const looped = (block === undefined ? undefined : placeInLoop(node, place, found)) ?? place;
  const method = field(node, "method");
  return walk.childSteps(node, place).flatMap(([child]): Step[] => {
    return child.id === method?.id ? [] : [[child, child.id === block?.id ? looped : place]];
  });
}

function noteImport({ given }: RubyCall, { imports }: Found): readonly Step[] {
  if (given[0]?.type === "string") imports.push(wordsOf(given[0]));
  return [];
}

function noteCall(call: RubyCall, place: Place, found: Found): void {
  const { node, name, given } = call;
  if (/^(?:skip|pending|omit|pend)$/.test(name) && call.receiver === undefined && call.block === undefined) {
    return walk.addSkip(place, name);
  }
  if (noteExpectation(call, place)) return;
  const force = forceOfAssert(call) ?? forceOfSpec(call);
  const parts = partsOf(given.slice(0, 2), constants.containers);
  if (force !== undefined) return walk.addKnown(node, place, { name, force, parts });
  noteMock(call, found);
  if (name !== "expect") walk.addCall(node, place, { name });
}

/** Notes `expect(a).to eq(1)`, `is_expected.to be_valid` and `a.should eq(1)`; `allow(…).to` only prepares. */
function noteExpectation({ node, name, given, receiver }: RubyCall, place: Place): boolean {
  if (!/^(?:to|not_to|to_not|should|should_not)$/.test(name) || receiver === undefined) return false;
  const subject = receiver.type === "call" ? callOf(receiver) : undefined;
  const root = subject?.name ?? receiver.text;
  if (root.startsWith("allow")) return true;
  const [matcher] = given;
  if (matcher === undefined) return name.startsWith("should");
  const actual = name.startsWith("should") ? receiver : subject?.given[0];
  const force = forceOfExpect(actual, matcher, /not/.test(name));
  const expected = matcher.type === "call" ? callOf(matcher).given : [];
  const lists = /^(?:contain_exactly|include|have_attributes)$/.test(
    matcher.type === "call" ? callOf(matcher).name : "",
  );
  walk.addAssertion(node, place, {
    force,
    parts: lists ? expected.length : partsOf(expected.slice(0, 1), constants.containers),
  });
  return true;
}

/** `stub_const("Cart", …)` replaces a whole class, which is in `cart.rb`. */
function noteMock({ node, name, given }: RubyCall, { mocks }: Found): void {
  if (name !== "stub_const" || given[0]?.type !== "string") return;
  const path = wordsOf(given[0])
    .replaceAll("::", "/")
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_")
    .toLowerCase();
  mocks.push({ target: path, line: walk.lineOf(node) });
}
