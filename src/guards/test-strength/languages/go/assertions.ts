import type { Node } from "../../../../syntax/parse.ts";
import { guardsLimits } from "../../../limits.ts";
import type { Force } from "../../model.ts";
import { both, comparison, either, field, isConstant, named, type Constants } from "../shared/assertions.ts";
import type { Found } from "../shared/found.ts";

/** Rates how much is demanded by failing where a condition is true, or, with `holds` false, where it is not. */
export function forceOfFailure(condition: Node | undefined, holds: boolean, depth = 0): Force {
  if (condition === undefined || depth > guardsLimits.assertionDepthMax) return "weak";
  const inner = (node: Node | undefined, on = holds): Force => forceOfFailure(node, on, depth + 1);
  switch (condition.type) {
    case "parenthesized_expression":
      return inner(named(condition)[0]);
    case "unary_expression":
      return field(condition, "operator")?.text === "!" ? inner(field(condition, "operand"), !holds) : "weak";
    case "binary_expression":
      return forceOfBinary(condition, holds, inner);
    case "call_expression":
      return !holds && argumentsOf(condition).length > 1 ? comparison(pair(condition), "strong", constants) : "weak";
    default:
      return "weak";
  }
}

/** Returns the nodes of a call's arguments. */
export function argumentsOf(call: Node): Node[] {
  const list = field(call, "arguments");
  return list === undefined ? [] : named(list);
}

/** What never changes in Go. */
export const constants: Constants = {
  literals: new Set([
    "int_literal",
    "float_literal",
    "rune_literal",
    "interpreted_string_literal",
    "raw_string_literal",
    "true",
    "false",
    "nil",
  ]),
  containers: new Set(["parenthesized_expression", "unary_expression"]),
  calls: ["call_expression"],
};

function pair(call: Node): [Node, Node] {
  const [first, second] = argumentsOf(call);
  return [first!, second!];
}

type Inner = (node: Node | undefined, on?: boolean) => Force;

function forceOfBinary(node: Node, holds: boolean, inner: Inner): Force {
  const [left, right] = [field(node, "left"), field(node, "right")];
  const operator = field(node, "operator")?.text ?? "";
  if (left === undefined || right === undefined) return "weak";
  if (operator === "||" || operator === "&&") {
    const join = (operator === "||") === holds ? both : either;
    return join(inner(left), inner(right));
  }
  return comparison([left, right], forceOfOperator(operator, { holds, left, right }), constants);
}

/** Nearly everything differs from one value, and that there is an error does not show which. */
function forceOfOperator(operator: string, { holds, left, right }: { holds: boolean; left: Node; right: Node }): Force {
  if (left.type === "nil" || right.type === "nil") return "weak";
  if (operator === "==" || operator === "!=") return (operator === "!=") === holds ? "strong" : "weak";
  const number = isConstant(right, constants) ? right.text : "";
  const length = left.type === "call_expression" && field(left, "function")?.text === "len";
  if (length && number === "0" && operator === (holds ? "<" : ">=")) return "vacuous";
  return "weak";
}

/** Rates how much a call of testify, gotest.tools or the like demands; undefined where it is none. */
export function forceOfTestify(call: Node, { aliases }: Found): Force | undefined {
  const callee = field(call, "function");
  const method = field(callee, "field")?.text.replace(/f$/, "") ?? "";
  const speaker = speakerOf(field(callee, "operand"), aliases);
  if (speaker === undefined || !/^[A-Z]/.test(method)) return undefined;
  const given = argumentsOf(call);
  const about = speaker === "package" ? given.slice(1) : given;
  if (speaker === "suite" && !known.test(method)) return undefined;
  if (!known.test(method)) return undefined;
  return forceOf(method, about);
}

function forceOf(method: string, [first, second]: readonly Node[]): Force {
  if (weak.has(method)) return "weak";
  if (first === undefined) return "weak";
  if (method === "True" || method === "False" || method === "Assert" || method === "Check") {
    if (isConstant(first, constants)) return "vacuous";
    return forceOfFailure(first, method === "False");
  }
  if (method.startsWith("Not")) return "weak";
  return second === undefined ? "strong" : comparison([first, second], "strong", constants);
}

const weak: ReadonlySet<string> = new Set(
  "NoError NilError Error Nil NotNil NotEmpty NotZero IsType Implements NotEqual NotPanics Panics Fail FailNow Greater GreaterOrEqual Less LessOrEqual Positive Negative".split(
    " ",
  ),
);
const known =
  /^(?:Not?)?(?:Equal|EqualValues|EqualExportedValues|Exactly|Nil|True|False|Empty|Len|Contains|ElementsMatch|Subset|Error|ErrorIs|ErrorAs|ErrorContains|EqualError|ErrorType|NilError|Panics|PanicsWithValue|PanicsWithError|InDelta|InDeltaSlice|InEpsilon|IsType|Implements|Greater|GreaterOrEqual|Less|LessOrEqual|Positive|Negative|JSONEq|YAMLEq|Regexp|Same|Zero|WithinDuration|WithinRange|Eventually|EventuallyWithT|Never|DeepEqual|Assert|Check|Fail|FailNow|FileExists|DirExists|HTTPStatusCode|HTTPSuccess|HTTPError|HTTPBodyContains|IsIncreasing|IsDecreasing|AssertExpectations|AssertCalled|AssertNotCalled|AssertNumberOfCalls)$/;

/** Finds what asserts: a package that is given the test first, or a value that knows it. */
function speakerOf(
  operand: Node | undefined,
  aliases: ReadonlyMap<string, string>,
): "package" | "value" | "suite" | undefined {
  if (operand?.type === "identifier") {
    const alias = aliases.get(operand.text);
    if (alias === "asserter") return "value";
    if (alias === "suite") return "suite";
    return packages.has(operand.text) ? "package" : undefined;
  }
  if (operand?.type !== "call_expression") return undefined;
  const made = field(field(operand, "function"), "field")?.text ?? "";
  return makers.has(made) ? "value" : undefined;
}

const packages: ReadonlySet<string> = new Set(["assert", "require", "is", "qt", "td", "must"]);
const makers: ReadonlySet<string> = new Set(["New", "Require", "Assert"]);
