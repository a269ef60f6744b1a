import type { Node } from "../../../../syntax/parse.ts";
import type { TestReader } from "../../model.ts";
import { field, named } from "../shared/assertions.ts";
import { attributeIn, attributesOf, type Attributes } from "./tests.ts";
import { placeAfter, visitRustFlow } from "./flow.ts";
import { forceOfMacro, partsOfMacro } from "./assertions.ts";
import * as walk from "../shared/walk.ts";
import type { Found, Place, Step } from "../shared/found.ts";
import type { Visit } from "../shared/walk.ts";

/** Reads Rust's own tests, in files of tests and beside the product, with those of macros. */
export const rust: TestReader = { read: (root) => walk.walkTests(root, visit) };

const visit: Visit = (node, place, found) => {
  switch (node.type) {
    case "source_file":
      return visitItems(node, hasTestsInside(node) ? productPlace(place) : place, found);
    case "declaration_list":
    case "block":
      return visitItems(node, place, found);
    case "use_declaration":
      found.imports.push(field(node, "argument")?.text ?? "");
      return [];
    case "macro_definition":
      return walk.childSteps(node, walk.inHelper(node, place, { name: field(node, "name")?.text ?? "", found }));
    case "macro_invocation":
      visitMacro(node, place, { name: macroName(field(node, "macro")), tokens: named(node).at(-1) });
      return undefined;
    case "token_tree":
      return visitTokens(node, place, found);
    case "call_expression":
      visitCall(node, place);
      return undefined;
    default:
      return visitRustFlow(node, place, found);
  }
};

/** Where a file tests itself, functions beside `mod tests` are its product, and no helpers of tests. */
function hasTestsInside(file: Node): boolean {
  return named(file).some((child, index, all) => {
    const above = all[index - 1];
    return child.type === "mod_item" && above?.type === "attribute_item" && attributesOf(attributeIn(above)).onlyTests;
  });
}

function productPlace(place: Place): Place {
  return { ...place, suite: { ...place.suite, collects: false } };
}

/** Visits items and statements in a row, each with the attributes above it. */
function visitItems(node: Node, place: Place, found: Found): readonly Step[] {
  const steps: Step[] = [];
  let above: Node[] = [];
  let at = place;
  for (const item of named(node)) {
    if (item.type === "inner_attribute_item") place.suite.skipped ??= attributesOf(attributeIn(item)).skipped;
    if (item.type === "attribute_item") above.push(...attributeIn(item));
    else {
      steps.push(...stepsOfItem(item, at, { found, attributes: attributesOf(above), first: above[0] }));
      if (node.type === "block") at = placeAfter(item, at);
      above = [];
    }
  }
  return steps;
}

interface Item {
  readonly found: Found;
  readonly first?: Node | undefined;
  readonly last?: Node | undefined;
  readonly attributes: Attributes;
}

function stepsOfItem(item: Node, place: Place, around: Item): readonly Step[] {
  const { attributes } = around;
  if (item.type === "function_item") return visitFunction(item, place, around);
  if (item.type !== "mod_item") return [[item, place]];
  const body = field(item, "body");
  const collects = place.suite.collects || attributes.onlyTests;
  const suite = walk.inSuite(place, { title: field(item, "name")?.text ?? "", collects, skipped: attributes.skipped });
  return body === undefined ? [] : [[body, suite]];
}

function visitFunction(item: Node, place: Place, around: Item): readonly Step[] {
  const { found, attributes } = around;
  const body = field(item, "body");
  const title = field(item, "name")?.text ?? "";
  if (body === undefined) return [];
  if (attributes.isTest) return [[body, testPlace(item, place, { ...around, title })]];
  if (!place.suite.collects && !attributes.onlyTests) return [];
  return [[body, walk.inHelper(item, place, { name: title, found })]];
}

function testPlace(item: Node, place: Place, start: Item & { readonly title: string }): Place {
  const { title, found, attributes, first = item, last = item } = start;
  const { cases, skipped, panics } = attributes;
  const inside = walk.inTest(first, place, { title, found, last, cases, skipped });
  if (panics === null) return inside;
  walk.addAssertion(item, inside, { force: panics === "as expected" ? "strong" : "weak" });
  return { ...inside, unreached: inside.unreached ?? "are expected to fail by #[should_panic]" };
}

function macroName(path: Node | undefined): string {
  return path?.type === "scoped_identifier" ? (field(path, "name")?.text ?? "") : (path?.text ?? "");
}

interface Macro {
  readonly name: string;
  readonly tokens: Node | undefined;
}

function visitMacro(node: Node, place: Place, { name, tokens }: Macro): void {
  const force = forceOfMacro(name, tokens);
  if (force === undefined) walk.addCall(node, place, { name });
  else walk.addKnown(node, place, { name, force, parts: name.endsWith("assert_eq") ? partsOfMacro(tokens) : 1 });
}

/** Visits what is inside macros: calls, further macros, and functions with the attributes above them. */
function visitTokens(tree: Node, place: Place, found: Found): readonly Step[] {
  const tokens = tree.children.flatMap((token) => (token === null || token.isExtra ? [] : [token]));
  const steps: Step[] = [];
  let above: Node[] = [];
  let at = place;
  for (const [index, token] of tokens.entries()) {
    const [before, next, nextButOne] = [tokens[index - 1], tokens[index + 1], tokens[index + 2]];
    if (before?.type === "fn") {
      const last = tokens.slice(index).find((later) => later.type === "token_tree" && later.child(0)?.type === "{");
      at = functionInTokens(token, place, { found, attributes: attributesOf(above), last });
      above = [];
    } else if (token.type === "identifier" && next?.type === "!" && nextButOne?.type === "token_tree") {
      visitMacro(token, at, { name: token.text, tokens: nextButOne });
    } else if (token.type === "identifier" && next?.type === "token_tree" && isCalled(next)) {
      walk.addCall(token, at, { name: token.text });
    } else if (token.type === "token_tree" && before?.type === "#") above.push(token);
    else if (token.type === "token_tree") {
      steps.push([token, at]);
      if (at !== place && token.child(0)?.type === "{") at = place;
    }
  }
  return steps;
}

function isCalled(tree: Node): boolean {
  return tree.child(0)?.type === "(";
}

function functionInTokens(name: Node, place: Place, item: Item): Place {
  const { found, attributes } = item;
  if (!attributes.isTest) return walk.inHelper(name, place, { name: name.text, found });
  return testPlace(name, place, { title: name.text, ...item });
}

function visitCall(node: Node, place: Place): void {
  const callee = field(node, "function");
  const name = callee?.type === "identifier" ? callee : (field(callee, "field") ?? field(callee, "name"));
  walk.addCall(node, place, { name: name?.text ?? "" });
}
