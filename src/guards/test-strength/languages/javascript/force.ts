import { childAt, type Syntax } from "../../../../syntax/syntax.ts";
import type { Force } from "../../model.ts";
import type { Claim } from "./assertions.ts";
import { chainOf, unwrapped } from "./chain.ts";

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

/** `expect.anything()`, a pattern for every text: satisfied by nearly all. */
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
