import type { Node } from "../../../../syntax/parse.ts";
import { isConstant, named, partsOf } from "../force.ts";
import * as walk from "../walk.ts";
import type { Found, Place, Step } from "../found.ts";
import type { Chain, Link } from "./chain.ts";
import { failures } from "./flow.ts";
import { constants, forceOfHamcrest, forceOfLink, forceOfPlain } from "./force.ts";

/** Notes what a chain of calls asserts, skips, replaces or calls; its arguments are visited next. */
export function visitChain({ links, root }: Chain, place: Place, found: Found): readonly Step[] {
  const [first] = links;
  if (first?.name === "assertThat" || first?.name === "then") noteSubject(links, place);
  else for (const link of links) noteLink(link, place, found);
  const steps = links.flatMap((link) => link.given.map((node): Step => [node, placeOf(link, place)]));
  return root === undefined ? steps : [[root, place], ...steps];
}

/** AssertJ: each link that asserts counts; Hamcrest: the matcher tells; a subject of which nothing is said cannot fail. */
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
