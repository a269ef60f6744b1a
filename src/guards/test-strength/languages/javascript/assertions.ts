import type { Syntax } from "../../../../syntax/syntax.ts";
import type { Force } from "../../model.ts";
import { unwrapped, type Link } from "./chain.ts";
import { forceOfMatcher } from "./force.ts";
import { isConstant, leavesOf } from "./literals.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** What a chain of calls asserts. */
export interface Asserted {
  readonly force: Force;
  readonly parts: number;
  /** Its outcome is a promise, so nobody hears of it unless it is awaited. */
  readonly later: boolean;
}

/** Reads a chain as assertions; none where it is something else. */
export function assertedBy(links: readonly Link[], vocabulary: Vocabulary): readonly Asserted[] {
  const [root] = links;
  if (root === undefined || links.some(({ name }) => name === "skip")) return [];
  const found =
    asExpectation(links, vocabulary) ?? asLibraryCall(links, vocabulary) ?? asContextCall(links, vocabulary);
  if (found !== undefined) return found.matcher === "" ? [] : [rated(found, vocabulary)];
  return asAnsweredRequest(links);
}

/** An assertion in words of its own: who is asked, whether turned around, for what, against what. */
export interface Claim {
  readonly actual: Syntax | undefined;
  readonly negated: boolean;
  readonly matcher: string;
  readonly expected: readonly Syntax[];
  readonly later: boolean;
}

function rated(claim: Claim, vocabulary: Vocabulary): Asserted {
  const { later } = claim;
  if (isVacuous(claim, vocabulary)) return { force: "vacuous", parts: 1, later };
  const force = forceOfMatcher(claim);
  return { force, parts: force === "strong" ? leavesOf(claim.expected[0]) : 1, later };
}

/** `expect(x).not.toBe(3)`, `expect(x).to.be.true`, `x.should.equal(3)`, `expectTypeOf(x)…`. */
function asExpectation(links: readonly Link[], { own }: Vocabulary): Claim | undefined {
  const at = links.findIndex(({ name, args }) => name === "should" && args === undefined);
  const [root] = links;
  const isExpect = /^(?:expect|expectTypeOf|chaiExpect)$/.test(root?.name ?? "") && !own.has(root?.name ?? "");
  if (!isExpect && at < 1) return undefined;
  const start = isExpect ? links.findIndex(({ args }) => args !== undefined) : at;
  const rest = links.slice(start + 1);
  // `expect.extend()`, `expect.assertions(2)`: nothing is compared.
  const last = rest.findLast(({ name }) => !fillers.has(name));
  const actual = isExpect ? links[start]?.args?.[0] : undefined;
  const isSetting = isExpect && start > 0 && !/^(?:soft|poll)$/.test(links[start]?.name ?? "");
  if (last === undefined || isSetting) return { ...nothing, actual };
  const names = rest.map(({ name }) => name);
  const negated = names.includes("not");
  const later = names.includes("resolves") || names.includes("rejects") || names.includes("eventually");
  return { actual, negated, matcher: last.name, expected: last.args ?? [], later };
}

const nothing = { actual: undefined, negated: false, matcher: "", expected: [], later: false } as const;

const fillers = new Set(["to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same"]);
for (const word of ["but", "does", "still", "also", "not", "deep", "a", "an", "resolves", "rejects", "eventually"])
  fillers.add(word);

/** `assert.equal(a, b)`, `assert(x)`, `equal(a, b)` where it was imported, `sinon.assert.calledOnce(spy)`, `fc.assert(…)`. */
function asLibraryCall(links: readonly Link[], { libraries, functions, own }: Vocabulary): Claim | undefined {
  const [root, ...rest] = links;
  const name = root?.name ?? "";
  if (/^(?:should|sinon|fc|fastCheck|jsc|chai|QUnit|Assert)$/.test(name)) return asNamed(name, rest);
  const imported = own.has(name) ? undefined : functions.get(name);
  if (imported !== undefined && rest.length === 0) return asCall(imported, root?.args ?? []);
  if (!libraries.has(name)) return undefined;
  if (root?.args !== undefined) return asCall("ok", root.args);
  const last = rest.at(-1);
  return last?.args === undefined ? undefined : asCall(last.name, last.args);
}

function asNamed(root: string, rest: readonly Link[]): Claim | undefined {
  const last = rest.at(-1);
  if (last?.args === undefined) return undefined;
  if (root === "should") return asCall(rest.some(({ name }) => name === "not") ? "notOk" : "ok", last.args);
  if (!rest.some(({ name }) => name === "assert")) return undefined;
  // A property is asserted of all values, and a spy of all its calls.
  const isWhole = rest.length === 1 || root === "sinon";
  return isWhole ? { ...nothing, matcher: "holds", expected: last.args.slice(1) } : asCall(last.name, last.args);
}

/** `t.is(a, b)` of ava, tap and tape, `t.assert.equal(a, b)` of node:test. */
function asContextCall(links: readonly Link[], { own }: Vocabulary): Claim | undefined {
  const [root, ...rest] = links;
  const last = rest.at(-1);
  if (last?.args === undefined || !/^(?:t|tt|st|tap|ctx|context)$/.test(root?.name ?? "")) return undefined;
  if (own.has(root?.name ?? "")) return undefined;
  const isDirect = rest.length === 1 && contextMatchers.has(last.name);
  return isDirect || (rest.length === 2 && rest[0]?.name === "assert") ? asCall(last.name, last.args) : undefined;
}

const contextMatchers = new Set(
  `is not equal equals same strictEqual deepEqual deepEquals strictSame notDeepEqual notEqual notEquals like ok notOk
  true false truthy falsy assert throws throwsAsync rejects resolves doesNotThrow notThrows notThrowsAsync regex notRegex
  match notMatch snapshot matchSnapshot hasStrict has type error isEqual deepLooseEqual pass looseEqual isNot`.split(
    /\s+/,
  ),
);

function asCall(matcher: string, args: readonly Syntax[]): Claim {
  if (uncounted.has(matcher) || isErrorOfCallback(matcher, args[0])) return nothing;
  const later = /^(?:rejects|doesNotReject|throwsAsync|notThrowsAsync|resolves)$/.test(matcher);
  return { actual: args[0], negated: false, matcher, expected: args.slice(1), later };
}

/** What says that a place must not be reached goes when `try` becomes `rejects`; plans count, and assert nothing. */
const uncounted = new Set([
  "fail",
  "plan",
  "end",
  "hasAssertions",
  "assertions",
  "expect",
  "extend",
  "use",
  "register",
]);

/** `assert.ifError(err)` goes when a callback becomes `await`, which throws by itself. */
function isErrorOfCallback(matcher: string, actual: Syntax | undefined): boolean {
  if (matcher === "ifError" || matcher === "error") return true;
  const isAbsence = /^(?:isNull|isUndefined|isNotOk|notOk|falsy|isNotExist|notExists?)$/.test(matcher);
  const negation = matcher === "ok" && actual?.type === "unary_expression" ? actual.children[0] : undefined;
  const subject = isAbsence ? actual : negation;
  return /^(?:e|er|err|error)$/.test(subject?.text ?? "");
}

/** `request(app).get("/").expect(200)`, `cy.get("h1").should("have.text", "Hello")`. */
function asAnsweredRequest(links: readonly Link[]): readonly Asserted[] {
  const asked = links.slice(1).filter(({ name, args }) => /^(?:expect|should)$/.test(name) && (args?.length ?? 0) > 0);
  return asked.map(() => ({ force: "strong", parts: 1, later: false }));
}

/** Literals against literals, a thing against itself: whatever the code does, this holds. */
function isVacuous({ actual, matcher, expected }: Claim, { constants }: Vocabulary): boolean {
  if (matcher === "pass") return true;
  if (actual === undefined) return false;
  const [value] = expected;
  const subject = unwrapped(actual);
  if (isConstant(subject, constants)) return value === undefined || isConstant(value, constants);
  const isPlain = /^(?:identifier|member_expression|this)$/.test(subject.type);
  if (value !== undefined && isPlain && subject.text === value.text) return true;
  return isAlwaysSo(subject, matcher, value);
}

const neverNegative = /\.(?:length|size)(?:\s*>=\s*0|\s*>\s*-\d+)?$/;

function isAlwaysSo(subject: Syntax, matcher: string, value: Syntax | undefined): boolean {
  if (subject.text.length > subjectCharsMax) return false;
  const isTruth = /^(?:ok|toBeTruthy|true|truthy|isTrue|toBeDefined|exist|isOk|assert)$/.test(matcher);
  if (isTruth && /\|\|\s*true$/.test(subject.text)) return true;
  if (isTruth && /^typeof\b[^=<>]*$/.test(subject.text)) return true;
  if (isTruth && neverNegative.test(subject.text) && subject.text.includes(">")) return true;
  const isFloor = /^(?:toBeGreaterThanOrEqual|isAtLeast|least|gte)$/.test(matcher) && value?.text === "0";
  return isFloor && neverNegative.test(subject.text);
}

/** Longer ones are no trick of one line. */
const subjectCharsMax = 500;
