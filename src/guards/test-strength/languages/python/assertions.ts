import type { Node } from "../../../../syntax/parse.ts";
import { guardsLimits } from "../../../limits.ts";
import type { Force } from "../../model.ts";
import {
  isPredicate,
  partsOf,
  both,
  comparison,
  either,
  field,
  isConstant,
  isLong,
  named,
  type Constants,
} from "../shared/assertions.ts";
import { keyword, lastName, positional } from "./names.ts";

/** Rates how much `assert <condition>` demands. */
export function forceOfCondition(condition: Node | undefined, depth = 0): Force {
  if (condition === undefined || depth > guardsLimits.assertionDepthMax) return "weak";
  if (isConstant(condition, constants)) return falsy.has(condition.text) ? "weak" : "vacuous";
  const inner: Inner = (node) => forceOfCondition(node, depth + 1);
  switch (condition.type) {
    case "parenthesized_expression":
    case "generator_expression":
    case "list_comprehension":
      return inner(named(condition)[0]);
    case "not_operator":
      return forceOfNot(field(condition, "argument"), inner);
    case "comparison_operator":
      return forceOfComparison(condition);
    case "boolean_operator":
      return forceOfBoolean(condition, inner);
    case "conditional_expression": {
      const [then, , otherwise] = named(condition);
      return either(inner(then), inner(otherwise));
    }
    case "tuple":
      return "vacuous";
    case "call":
      return forceOfQuestion(condition, inner);
    default:
      return "weak";
  }
}

/** Rates how much a call demands that asserts by its name; undefined where its name does not say so. */
export function forceOfAssertion(call: Node): Force | undefined {
  const name = lastName(call);
  const [first, second] = positional(call);
  if (raising.has(name)) return first === undefined || broad.has(lastName(first)) ? ofBroad(call) : "strong";
  if (name === "fail") return "weak";
  if (conditions.has(name)) return first === undefined ? "weak" : forceOfCondition(first);
  if (weak.has(name)) return "weak";
  if (!strong.has(name)) return undefined;
  if (first === undefined || second === undefined) return "strong";
  return comparison([first, second], "strong", constants);
}

type Inner = (node: Node | undefined) => Force;

/** Counts how many values an assertion compares at once. */
export function partsOfAssertion(node: Node): number {
  if (node.type === "call") return partsOf(positional(node).slice(0, 2), constants.containers);
  const [condition] = named(node);
  return condition?.type === "comparison_operator" ? partsOf(named(condition), constants.containers) : 1;
}

/** Names of what expects an exception. */
export const raising: ReadonlySet<string> = new Set([
  "raises",
  "assertRaises",
  "assertRaisesRegex",
  "warns",
  "assertWarns",
]);

/** Exceptions that a failed assertion is, too. */
export const broad: ReadonlySet<string> = new Set(["Exception", "BaseException", "AssertionError"]);

const conditions: ReadonlySet<string> = new Set(["assertTrue", "assertFalse", "assert_"]);
const weak: ReadonlySet<string> = new Set([
  ..."assertIsNotNone assertIsInstance assertNotEqual assertNotIn assertNotIsInstance assertIsNot".split(" "),
  ..."assertNotAlmostEqual assertNotRegex assert_called assertGreater assertGreaterEqual assertLess assertLessEqual assert_called_once assert_awaited assert_awaited_once".split(
    " ",
  ),
]);
const strong: ReadonlySet<string> = new Set([
  ..."assertEqual assertEquals assertIs assertIsNone assertIn assertAlmostEqual assertRegex assertCountEqual".split(
    " ",
  ),
  ..."assertDictEqual assertListEqual assertTupleEqual assertSetEqual assertSequenceEqual assertMultiLineEqual".split(
    " ",
  ),
  ..."assertLogs assertNoLogs assertDictContainsSubset".split(" "),
  ..."assert_called_with assert_called_once_with assert_any_call assert_has_calls assert_not_called".split(" "),
  ..."assert_awaited_with assert_awaited_once_with assert_any_await assert_has_awaits assert_not_awaited".split(" "),
]);
const falsy: ReadonlySet<string> = new Set(["False", "None", "0", '""', "''", "[]", "{}", "()"]);
const constants: Constants = {
  literals: new Set(["integer", "float", "string", "true", "false", "none", "concatenated_string", "ellipsis"]),
  containers: new Set(["list", "tuple", "set", "dictionary", "pair", "parenthesized_expression", "unary_operator"]),
  calls: ["call", "await"],
};

/** `raises(Exception, match=…)` says what it expects after all. */
function ofBroad(call: Node): Force {
  return keyword(call, "match") !== undefined || lastName(call) === "assertRaisesRegex" ? "strong" : "weak";
}

function forceOfNot(argument: Node | undefined, inner: Inner): Force {
  if (argument === undefined || isConstant(argument, constants)) return "vacuous";
  return argument.type === "call" && lastName(argument) === "any" ? inner(argument) : "weak";
}

function forceOfComparison(node: Node): Force {
  const sides = named(node);
  const operators = node.childrenForFieldName("operators").map((operator) => operator!.text);
  const [left, right] = sides;
  if (sides.length !== 2 || left === undefined || right === undefined) return "strong";
  if (differing.has(operators.join(" "))) return comparison([left, right], "weak", constants);
  if (left.text === "ANY" || right.text.endsWith("ANY")) return "weak";
  return comparison(
    [left, right],
    ordered.has(operators[0] ?? "") ? forceOfOrder(sides, operators[0]!) : "strong",
    constants,
  );
}

const differing: ReadonlySet<string> = new Set(["!=", "<>", "is not", "not in"]);
const ordered: ReadonlySet<string> = new Set(["<", ">", "<=", ">="]);

/** Most numbers are on one side of another; a length is never below zero. */
function forceOfOrder([left, right]: readonly Node[], operator: string): Force {
  const isLength = left?.type === "call" && lastName(left) === "len";
  return isLength && operator === ">=" && right?.text === "0" ? "vacuous" : "weak";
}

function forceOfBoolean(node: Node, inner: Inner): Force {
  const [left, right] = [inner(field(node, "left")), inner(field(node, "right"))];
  return field(node, "operator")?.type === "and" ? both(left, right) : either(left, right);
}

function forceOfQuestion(call: Node, inner: Inner): Force {
  const name = lastName(call);
  if (isPredicate(name, positional(call).length)) return "strong";
  const list = field(call, "arguments");
  if ((name !== "all" && name !== "any") || list === undefined || isLong(call)) return "weak";
  const about = list.type === "generator_expression" ? list : named(list)[0];
  return about === undefined ? "vacuous" : inner(about);
}
