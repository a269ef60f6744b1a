import type { Node } from "../../../../syntax/parse.ts";
import type { Force } from "../../model.ts";
import { comparison, field, isConstant } from "../force.ts";
import type { Found } from "../found.ts";
import { argumentsOf, constants, forceOfFailure } from "./force.ts";

/** How much a call of testify, gotest.tools or the like demands; undefined where it is none. */
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

/** Who asserts: a package that wants the test first, or a value that knows it. */
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
