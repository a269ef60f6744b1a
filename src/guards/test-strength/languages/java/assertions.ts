import type { Node } from "../../../../syntax/parse.ts";
import { guardsLimits } from "../../../limits.ts";
import type { Force } from "../../model.ts";
import {
  both,
  comparison,
  either,
  field,
  isConstant,
  isPredicate,
  named,
  type Constants,
} from "../shared/assertions.ts";
import { chainOf, type Link } from "./names.ts";

/** Rates how much a plain `assertX(…)`, `fail()` or `verify(…)` demands; undefined where its name is no library's. */
export function forceOfPlain({ name, given }: Link): Force | undefined {
  if (name === "assertTrue" || name === "assertFalse") return forceOfTruth(given, name === "assertTrue");
  if (weak.has(name)) return "weak";
  if (name === "assertThrows" || name === "assertThrowsExactly")
    return broad.has(given[0]?.text ?? "") ? "weak" : "strong";
  if (name === "verify") return forceOfVerify(given);
  if (!strong.has(name)) return undefined;
  const [first, second] = given.length > 2 && given[0]?.type === "string_literal" ? given.slice(1) : given;
  return first === undefined || second === undefined ? "strong" : comparison([first, second], "strong", constants);
}

/** Rates how much a link of `assertThat(actual)…` demands; undefined where it only leads on. */
export function forceOfLink({ name, given }: Link, actual: Node | undefined): Force | undefined {
  if (!/^(?:is|has|contains|does|starts|ends|matches|satisfies|all|any|none|are|have)(?:[A-Z]|$)/.test(name))
    return undefined;
  if (name === "isTrue" || name === "isFalse")
    return actual === undefined ? "weak" : forceOfCondition(actual, name === "isTrue");
  if (actual !== undefined && isConstant(actual, constants) && given.every((one) => isConstant(one, constants)))
    return "vacuous";
  if (weakLinks.test(name)) return "weak";
  const [expected] = given;
  return actual === undefined || expected === undefined
    ? "strong"
    : comparison([actual, expected], "strong", constants);
}

/** Rates how much `assertThat(actual, matcher)` of Hamcrest demands. */
export function forceOfHamcrest(given: readonly Node[]): Force {
  const matcher = given.at(-1);
  const actual = given.at(-2);
  if (matcher?.type !== "method_invocation") return matcher === undefined ? "weak" : forceOfCondition(matcher, true);
  const force = forceOfMatcher(matcher);
  const constant = actual !== undefined && isConstant(actual, constants);
  const expected = chainOf(matcher).links[0]?.given ?? [];
  return constant && expected.every((one) => isConstant(one, constants)) ? "vacuous" : force;
}

/** Rates how much it demands that a condition is true, or, with `holds` false, that it is not. */
export function forceOfCondition(condition: Node | undefined, holds: boolean, depth = 0): Force {
  if (condition === undefined || depth > guardsLimits.assertionDepthMax) return "weak";
  if (isConstant(condition, constants)) return condition.text === String(!holds) ? "weak" : "vacuous";
  const inner = (node: Node | undefined, on = holds): Force => forceOfCondition(node, on, depth + 1);
  if (condition.type === "parenthesized_expression") return inner(named(condition)[0]);
  if (condition.type === "unary_expression") return inner(field(condition, "operand"), !holds);
  if (condition.type === "method_invocation") {
    const list = field(condition, "arguments");
    const asks = isPredicate(field(condition, "name")?.text ?? "", list === undefined ? 0 : named(list).length);
    return holds && asks ? "strong" : "weak";
  }
  return condition.type === "binary_expression" ? forceOfBinary(condition, holds, inner) : "weak";
}

/** Exceptions so general that nearly anything is one. */
const broad: ReadonlySet<string> = new Set(["Exception.class", "Throwable.class", "RuntimeException.class"]);

/** What never changes in Java. */
export const constants: Constants = {
  literals: new Set(
    "decimal_integer_literal hex_integer_literal decimal_floating_point_literal string_literal character_literal true false null_literal".split(
      " ",
    ),
  ),
  containers: new Set(["parenthesized_expression", "unary_expression"]),
  calls: ["method_invocation", "object_creation_expression"],
};

const weak: ReadonlySet<string> = new Set(
  "assertNotNull assertNotEquals assertNotSame assertInstanceOf assertDoesNotThrow assertTimeout assertTimeoutPreemptively fail".split(
    " ",
  ),
);
const strong: ReadonlySet<string> = new Set([
  ..."assertEquals assertSame assertNull assertArrayEquals assertIterableEquals assertLinesMatch".split(" "),
  ..."verifyNoInteractions verifyNoMoreInteractions verifyZeroInteractions assertThatThrownBy assertThatExceptionOfType".split(
    " ",
  ),
]);
const weakLinks =
  /^(?:isNot.*|doesNot.*|isPresent|isInstanceOf.*|isExactlyInstanceOf|isAny.*|has(?:No)?Fields?.*OrProperty|isGreaterThan.*|isLessThan.*|isPositive|isNegative|isBetween|hasSizeGreaterThan.*|anyMatch)$/;

function forceOfTruth(given: readonly Node[], holds: boolean): Force {
  const condition = given.find(({ type }) => type !== "string_literal") ?? given[0];
  return forceOfCondition(condition, holds);
}

function forceOfVerify(given: readonly Node[]): Force {
  const times = given[1]?.text ?? "";
  if (times.includes("atLeast(0)")) return "vacuous";
  return /atLeast|atMost/.test(times) ? "weak" : "strong";
}

/** `is(not(nullValue()))`: the innermost matcher decides, and `not` weakens it. */
function forceOfMatcher(matcher: Node): Force {
  let at: Node | undefined = matcher;
  for (let i = 0; i < guardsLimits.assertionDepthMax && at?.type === "method_invocation"; i++) {
    const name: string = field(at, "name")?.text ?? "";
    if (name === "anything") return "vacuous";
    if (/^(?:not|notNullValue|instanceOf|isA|any|greaterThan.*|lessThan.*)$/.test(name)) return "weak";
    const list: Node | undefined = field(at, "arguments");
    at = name === "is" && list !== undefined ? named(list)[0] : undefined;
  }
  return "strong";
}

function forceOfBinary(node: Node, holds: boolean, inner: (node: Node | undefined) => Force): Force {
  const [left, right] = [field(node, "left"), field(node, "right")];
  const operator = field(node, "operator")?.text ?? "";
  if (left === undefined || right === undefined) return "weak";
  if (operator === "&&" || operator === "||")
    return ((operator === "&&") === holds ? both : either)(inner(left), inner(right));
  const equal = operator === (holds ? "==" : "!=");
  return comparison([left, right], equal ? "strong" : "weak", constants);
}
