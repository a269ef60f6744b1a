import { childAt, type Syntax } from "../../../../syntax/syntax.ts";
import type { Force } from "../../model.ts";
import { unwrapped, chainOf, type Link } from "./names.ts";
import { isConstant, leavesOf } from "./literals.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** What a chain of calls asserts. */
export interface Asserted {
  readonly force: Force;
  readonly parts: number;
  /** Its outcome is a promise, so a failure is lost unless it is awaited. */
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

/** Reads `expect(x).not.toBe(3)`, `expect(x).to.be.true`, `x.should.equal(3)` and `expectTypeOf(x)…`. */
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

/** Reads `assert.equal(a, b)`, `assert(x)`, `equal(a, b)` where it was imported, `sinon.assert.calledOnce(spy)` and `fc.assert(…)`. */
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

/** Reads `t.is(a, b)` of ava, tap and tape, and `t.assert.equal(a, b)` of node:test. */
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

/** Reads `request(app).get("/").expect(200)` and `cy.get("h1").should("have.text", "Hello")`. */
function asAnsweredRequest(links: readonly Link[]): readonly Asserted[] {
  const asked = links.slice(1).filter(({ name, args }) => /^(?:expect|should)$/.test(name) && (args?.length ?? 0) > 0);
  return asked.map(() => ({ force: "strong", parts: 1, later: false }));
}

/** Whether literals are compared with literals, or a thing with itself: whatever the code does, that is true. */
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

/** Whether a claim demands something specific, or what nearly anything satisfies. */
export function forceOfMatcher(claim: Claim): Force {
  const { matcher, negated, expected } = claim;
  const [value] = expected;
  if (truths.has(matcher)) return isPredicate(claim.actual) ? "strong" : "weak";
  if (weak.has(matcher)) return "weak";
  if (negated && differences.has(matcher)) return "weak";
  if (bare.has(matcher) && value === undefined) return "weak";
  if (matcher === "toHaveProperty" && expected.length < 2) return "weak";
  if (/^(?:toMatchObject|like)$/.test(matcher) && value?.text.replace(/\s/g, "") === "{}") return "weak";
  if (matcher === "toBeCloseTo" && /^-|^0$/.test(expected[1]?.text ?? "2")) return "weak";
  return value !== undefined && isAnything(unwrapped(value)) ? "weak" : "strong";
}

const truths = new Set("ok toBeTruthy truthy isOk assert okay".split(" "));

const weak = new Set(
  `toBeDefined toBeInstanceOf toBeTypeOf toBeFalsy falsy notOk isNotOk exist exists isDefined isNotNull isNotUndefined
  notNull notEqual notStrictEqual notDeepEqual notDeepStrictEqual notEquals not isNot doesNotThrow notThrows doesNotReject
  notThrowsAsync instanceOf instanceof instance isInstance isObject isArray isString isNumber isFunction isBoolean
  typeOf type toMatchSnapshot snapshot matchSnapshot toMatchFileSnapshot toThrowErrorMatchingSnapshot
  toBeGreaterThan toBeGreaterThanOrEqual toBeLessThan toBeLessThanOrEqual isAbove isAtLeast isBelow isAtMost above least
  below most greaterThan lessThan gt gte lt lte toBeAny toBeObject toBeFunction toBeString toBeNumber toBeAttached
  assertType`.split(/\s+/),
);

/** What says little when it is turned around: there are many other values. */
const differences = new Set(
  `toBe toEqual toStrictEqual equal equals eql eq toBeNull toBeUndefined toThrow toThrowError null undefined throw throws
  toBeNaN NaN empty`.split(/\s+/),
);

/** What is specific only with a value to compare with. */
const bare = new Set(
  `toThrow toThrowError throw throws rejects throwsAsync rejectedWith rejected toMatchInlineSnapshot
  toThrowErrorMatchingInlineSnapshot`.split(/\s+/),
);

/** `assert.ok(list.includes(3))` and `assert.ok(a === b)` ask as much as a matcher of that name. */
function isPredicate(actual: Syntax | undefined): boolean {
  if (actual === undefined) return false;
  let node = unwrapped(actual);
  while (node.type === "unary_expression" && node.children[0] !== undefined) node = unwrapped(node.children[0]);
  if (node.type === "binary_expression") return node.tokens.some((token) => /^(?:===?|&&|in)$/.test(token));
  const last = node.type === "call_expression" ? chainOf(node).at(-1) : undefined;
  return last !== undefined && (last.args?.length ?? 0) > 0 && predicates.test(last.name);
}

const predicates =
  /^(?:includes|startsWith|endsWith|every|some|has|test|match|equals?|deepEqual|isDeepStrictEqual|existsSync|(?:is|has|can|contains?)(?:[A-Z].*)?)$/;

/** Whether nearly all values satisfy this: `expect.anything()`, or a pattern for every text. */
function isAnything(value: Syntax): boolean {
  if (value.type === "regex") return matchesNonsense(value);
  const [root, kind] = value.type === "call_expression" ? chainOf(value) : [];
  return root?.name === "expect" && /^(?:anything|any)$/.test(kind?.name ?? "");
}

/** A pattern that finds itself in this finds itself anywhere. */
function matchesNonsense(regex: Syntax): boolean {
  const pattern = childAt(regex, "pattern")?.text ?? "";
  if (pattern.length > patternCharsMax) return false;
  try {
    return new RegExp(pattern).test("\u0001q");
  } catch {
    return false;
  }
}

/** Longer ones were not written to match everything. */
const patternCharsMax = 40;
