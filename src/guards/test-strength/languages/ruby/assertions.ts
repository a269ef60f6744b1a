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
import { callOf, type RubyCall } from "./names.ts";

/** Rates how much an assertion of minitest or test-unit demands; undefined where its name is none of theirs. */
export function forceOfAssert({ name, given }: RubyCall): Force | undefined {
  if (name === "assert" || name === "refute" || name === "assert_not")
    return forceOfCondition(given[0], name === "assert");
  if (name === "flunk") return "weak";
  if (/^assert_raises?$/.test(name)) return given[0] === undefined || broad.has(given[0].text) ? "weak" : "strong";
  if (weak.has(name) || name.startsWith("refute_")) return "weak";
  if (!strong.has(name)) return undefined;
  const [first, second] = given;
  return first === undefined || second === undefined ? "strong" : comparison([first, second], "strong", constants);
}

/** Rates how much `must_equal`, `wont_be_nil` and the like demand. */
export function forceOfSpec({ name, given, receiver }: RubyCall): Force | undefined {
  if (name.startsWith("wont_")) return "weak";
  if (!name.startsWith("must_")) return undefined;
  if (/^must_(?:be_(?:kind_of|instance_of)|respond_to|be)$/.test(name) && given.length < 2) return "weak";
  const actual = receiver?.type === "call" ? (callOf(receiver).given[0] ?? receiver) : receiver;
  return actual === undefined || given[0] === undefined
    ? "strong"
    : comparison([actual, given[0]], "strong", constants);
}

/** Rates how much `expect(actual).to matcher` demands. */
export function forceOfExpect(actual: Node | undefined, matcher: Node | undefined, negated: boolean): Force {
  const { name, given } = innermost(matcher);
  const fixed = actual !== undefined && isConstant(actual, constants);
  if (fixed && given.every((one) => isConstant(one, constants))) return "vacuous";
  if (negated || matcher === undefined || weakMatcher(name, given)) return "weak";
  if (matcher.type === "binary") return "weak";
  return actual === undefined || given[0] === undefined
    ? "strong"
    : comparison([actual, given[0]], "strong", constants);
}

/** Rates how much it demands that a condition is true, or, with `holds` false, that it is not. */
export function forceOfCondition(condition: Node | undefined, holds: boolean, depth = 0): Force {
  if (condition === undefined || depth > guardsLimits.assertionDepthMax) return "weak";
  if (isConstant(condition, constants)) return /^(?:false|nil)$/.test(condition.text) === holds ? "weak" : "vacuous";
  const inner = (node: Node | undefined, on = holds): Force => forceOfCondition(node, on, depth + 1);
  if (condition.type === "parenthesized_statements") return inner(named(condition)[0]);
  if (condition.type === "unary") return inner(field(condition, "operand"), !holds);
  if (condition.type === "binary") return forceOfBinary(condition, holds, inner);
  if (condition.type !== "call") return "weak";
  const { name, given } = callOf(condition);
  return holds && isPredicate(name.replace(/\?$/, ""), given.length) ? "strong" : "weak";
}

/** What never changes in Ruby. */
export const constants: Constants = {
  literals: new Set([
    "integer",
    "float",
    "string",
    "simple_symbol",
    "true",
    "false",
    "nil",
    "hash_key_symbol",
    "string_array",
  ]),
  containers: new Set(["array", "hash", "pair", "parenthesized_statements", "unary"]),
  calls: ["call", "identifier"],
};

const broad: ReadonlySet<string> = new Set(["StandardError", "Exception"]);
const weak: ReadonlySet<string> = new Set([
  ..."assert_instance_of assert_kind_of assert_respond_to assert_not_nil assert_not_equal assert_nothing_raised".split(
    " ",
  ),
  ..."assert_predicate assert_not_empty assert_silent assert_not_includes assert_present".split(" "),
]);
const strong: ReadonlySet<string> = new Set([
  ..."assert_equal assert_nil assert_same assert_includes assert_empty assert_match assert_in_delta assert_in_epsilon".split(
    " ",
  ),
  ..."assert_operator assert_output assert_throws assert_difference assert_no_difference assert_changes".split(" "),
  ..."assert_response assert_redirected_to assert_select assert_mock assert_include assert_raises_message assert_raise_with_message".split(
    " ",
  ),
]);

function weakMatcher(name: string, given: readonly Node[]): boolean {
  if (name === "be_nil" || name === "be_empty") return false;
  if (name === "raise_error") return given[0] === undefined || broad.has(given[0].text);
  if (name === "be") return given.length === 0;
  return (
    /^(?:be_\w+|exist|respond_to|an?_instance_of|anything|not_\w+|have_http_status_ok)$/.test(name) &&
    !/^be_(?:within|between)$/.test(name)
  );
}

/** `change { x }.by(1)`, `receive(:a).with(1)`: the first call of a matcher says what it is about. */
function innermost(matcher: Node | undefined): { readonly name: string; readonly given: readonly Node[] } {
  let at = matcher?.type === "binary" ? field(matcher, "left") : matcher;
  for (let i = 0; i < guardsLimits.assertionDepthMax && at?.type === "call"; i++) {
    const receiver = field(at, "receiver");
    if (receiver === undefined || receiver.type === "constant") return callOf(at);
    at = receiver;
  }
  return { name: at?.text.slice(0, 100) ?? "", given: [] };
}

function forceOfBinary(node: Node, holds: boolean, inner: (node: Node | undefined) => Force): Force {
  const [left, right] = [field(node, "left"), field(node, "right")];
  const operator = field(node, "operator")?.text ?? "";
  if (left === undefined || right === undefined) return "weak";
  if (/^(?:&&|and|\|\||or)$/.test(operator)) {
    return (/^(?:&&|and)$/.test(operator) === holds ? both : either)(inner(left), inner(right));
  }
  const equal = holds ? /^(?:===?|=~)$/.test(operator) : operator === "!=";
  return comparison([left, right], equal ? "strong" : "weak", constants);
}
