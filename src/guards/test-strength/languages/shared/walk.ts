import type { Node } from "../../../../syntax/parse.ts";
import { guardsLimits } from "../../../limits.ts";
import { assertsByName, type Assertion, type Call, type Force, type TestFile } from "../../model.ts";
import { toTestFile, type Found, type Owner, type Place, type Step, type Suite } from "./found.ts";

/** What to visit next; undefined means all children at the same place. */
export type Visit = (node: Node, place: Place, found: Found) => readonly Step[] | undefined;

/** Visits a tree from the top in the order of its text, with no recursion, since trees may be as deep as their text is long. */
export function walkTests(root: Node, visit: Visit, finish?: (found: Found) => void): TestFile {
  const suite: Suite = { around: null, titles: "", test: null, collects: true, skipped: null, focused: null };
  const outside = newOwner(suite, "hook", { name: "", line: 1, end: 1 });
  const found: Found = {
    owners: [outside],
    mocks: [],
    imports: [],
    replaced: [],
    tables: new Map(),
    parameters: new Map(),
    aliases: new Map(),
  };
  const stack: Step[] = [
    [root, { owner: outside, suite, times: 1, cases: 1, unreached: null, doubtful: null, guard: null, over: null }],
  ];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const [node, place] = step;
    const next = visit(node, place, found) ?? childSteps(node, place);
    for (let i = next.length - 1; i >= 0; i--) stack.push(next[i]!);
  }
  finish?.(found);
  return toTestFile(found);
}

/** Visits all children of a node at one place. */
export function childSteps(node: Node, place: Place): Step[] {
  return node.namedChildren.map((child) => [child!, place] as const);
}

/** What a reader knows of a suite when it begins. */
export interface SuiteStart {
  readonly title: string;
  readonly collects?: boolean;
  readonly skipped?: string | null;
  readonly focused?: string | null;
}

/** Opens a suite; a title longer than a person reads does not open another one. */
export function inSuite(place: Place, start: SuiteStart): Place {
  const { title, collects = true, skipped = null, focused = null } = start;
  const titles = place.suite.titles === "" ? title || "?" : `${place.suite.titles} > ${title}`;
  if (titles.length > guardsLimits.testNameCharsMax) {
    place.suite.skipped ??= skipped;
    return place;
  }
  return { ...place, suite: { around: place.suite, titles, test: null, collects, skipped, focused } };
}

/** Makes the test at hand the suite of those declared in it: what skips the one skips the others. */
export function inTestAsSuite(place: Place): Place {
  const { name, kind, suite } = place.owner;
  if (kind !== "test" || name.length >= guardsLimits.testNameCharsMax) return place;
  place.owner.holdsTests = true;
  return {
    ...place,
    suite: { around: suite, titles: name, test: place.owner, collects: true, skipped: null, focused: null },
  };
}

/** What a reader knows of a test when it begins. */
export interface TestStart {
  readonly title: string;
  /** Its last node, where that is not a part of its first. */
  readonly last?: Node | undefined;
  readonly cases?: number | null;
  readonly skipped?: string | null;
  readonly focused?: string | null;
}

/** Begins a test: what follows at the place returned is its own. */
export function inTest(node: Node, place: Place, start: TestStart & { readonly found: Found }): Place {
  const { titles } = place.suite;
  const name = (titles === "" ? start.title : `${titles} > ${start.title}`).slice(0, guardsLimits.testNameCharsMax);
  const owner = newOwner(place.suite, "test", { name, ...linesOf(node, start.last) });
  owner.cases = product(place.cases, start.cases === undefined ? 1 : start.cases);
  owner.skipped = start.skipped ?? null;
  owner.focused = start.focused ?? null;
  owner.muted = place.unreached;
  start.found.owners.push(owner);
  return { ...place, owner, times: 1, cases: 1, doubtful: null, guard: null, over: null };
}

/** Begins a function that is no test. */
export function inHelper(node: Node, place: Place, named: { readonly name: string; readonly found: Found }): Place {
  const owner = newOwner(place.suite, "helper", { name: named.name, ...linesOf(node) });
  named.found.owners.push(owner);
  return { ...place, owner, times: 1, cases: 1, doubtful: null, guard: null, over: null };
}

/** Begins a hook of the suite at hand: what skips in it skips the whole suite. */
export function inHook(place: Place, found: Found): Place {
  return { ...place, owner: found.owners[0]!, times: 1, doubtful: null, over: null };
}

/** How much an assertion demands, and of how many values at once. */
export interface Claim {
  readonly force: Force;
  readonly parts?: number;
}

/** Notes an assertion, unless nothing reaches or hears it. */
export function addAssertion(node: Node, place: Place, claim: Claim): void {
  if (!reached(place)) return;
  const assertion = assertionAt(node, place, claim);
  place.owner.assertions.push(assertion);
  noteDoubt(place, assertion.line);
}

/** Notes a call of a library's assertion; where the file declares that name itself, it is a call like any other. */
export function addKnown(node: Node, place: Place, claim: Claim & { readonly name: string }): void {
  if (!reached(place)) return;
  const assertion = assertionAt(node, place, claim);
  place.owner.known.push({ name: claim.name, assertion });
  noteDoubt(place, assertion.line);
}

function assertionAt(node: Node, { times, over }: Place, { force, parts = 1 }: Claim): Assertion {
  const line = lineOf(node);
  return { line, force, times, ...(parts > 1 ? { parts } : {}), ...(over === null ? {} : { over }) };
}

/** Notes a call of what may be a helper. */
export function addCall(node: Node, place: Place, called: Pick<Call, "name" | "given">): void {
  const { name } = called;
  if (name === "" || (assertsByName.test(name) ? !reached(place) : place.unreached !== null)) return;
  const line = lineOf(node);
  place.owner.calls.push({ ...called, line, times: place.times });
  if (place.doubtful === null) place.owner.sure.add(line);
  else if (assertsByName.test(name)) place.owner.doubt ??= place.doubtful;
}

/** Notes a name that is passed on: the function that gets it may call it. */
export function addHanded(node: Node, place: Place, name: string): void {
  if (place.unreached === null) place.owner.handed.push({ name, line: lineOf(node), times: place.times });
}

/** Skips the test at hand, or those that call the helper at hand; from a hook or from outside all functions, the whole suite. */
export function addSkip(place: Place, written: string): void {
  if (place.unreached !== null) return;
  const how = place.doubtful === null && place.guard === null ? written : `${written} in an if`;
  if (place.owner.kind === "hook") place.suite.skipped ??= how;
  else place.owner.skipped ??= how;
}

/** Counts lines from 1. */
export function lineOf(node: Node): number {
  return node.startPosition.row + 1;
}

/** Multiplies rows by rows; null where one is not known. */
export function product(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.min(a * b, guardsLimits.testRowsMax);
}

function linesOf(node: Node, last = node): { line: number; end: number } {
  return { line: lineOf(node), end: last.endPosition.row + 1 };
}

function newOwner(suite: Suite, kind: Owner["kind"], at: { name: string; line: number; end: number }): Owner {
  const lists = { assertions: [], known: [], calls: [], handed: [], sure: new Set<number>() };
  return {
    suite,
    kind,
    ...at,
    cases: 1,
    skipped: null,
    focused: null,
    muted: null,
    holdsTests: false,
    doubt: null,
    ...lists,
  };
}

function reached(place: Place): boolean {
  if (place.unreached !== null) place.owner.muted ??= place.unreached;
  return place.unreached === null;
}

function noteDoubt(place: Place, line: number): void {
  if (place.doubtful === null) place.owner.sure.add(line);
  else place.owner.doubt ??= place.doubtful;
}
