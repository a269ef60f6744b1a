import type { Node } from "../../../../syntax/parse.ts";
import type { TestReader } from "../../model.ts";
import { field } from "../force.ts";
import { visitRubyCall } from "./calls.ts";
import { visitRubyFlow } from "./flow.ts";
import * as walk from "../walk.ts";
import type { Found, Place, Step } from "../found.ts";
import type { Visit } from "../walk.ts";

/** Reads tests of minitest, test-unit and RSpec. */
export const readRuby: TestReader = (root) => walk.walkTests(root, visit);

const visit: Visit = (node, place, found) => {
  switch (node.type) {
    case "class":
    case "module":
      return visitClass(node, place);
    case "method":
    case "singleton_method":
      return visitMethod(node, place, found);
    case "call":
      return visitRubyCall(node, place, found);
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

/** `x.should == 1`. */
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
