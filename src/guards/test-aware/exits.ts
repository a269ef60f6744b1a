import type { Language } from "../../syntax/language.ts";
import type { Node } from "../../syntax/parse.ts";
import { guardsLimits } from "../limits.ts";

interface Source {
  readonly language: Language;
  readonly path: string;
  readonly text: string;
}

/** Finds lines on which a module that others load ends the whole program with success, while it is loaded. */
export function earlyExits(root: Node, { language, path, text }: Source): number[] {
  const rules = rulesOf[language];
  if (rules === undefined || text.startsWith("#!") || isProgram.test(path) || !rules.isModule.test(text)) return [];
  const calls = root.descendantsOfType([...rules.calls]).filter((node) => node !== null);
  const exits = calls.filter((call) => call.endIndex - call.startIndex < exitCharsMax && rules.ends.test(call.text));
  const atLoad = exits.slice(0, guardsLimits.exitsInspectedMax).filter((call) => isAtLoad(call, rules));
  return atLoad.map((call) => call.startPosition.row + 1);
}

/** No call that only ends the program is longer; the text of a longer one need not be looked at. */
const exitCharsMax = 80;

/** Names of files that are not meant to be imported. */
const isProgram =
  /(?:^|\/)(?:bin|scripts?|cmd|tools?)\/|(?:^|\/)(?:cli|main|__main__|server|app|manage|run|start)\.\w+$|\.config\.\w+$/;

interface Rules {
  readonly calls: readonly string[];
  /** A call that ends the program with 0. */
  readonly ends: RegExp;
  /** Something that another file can import. */
  readonly isModule: RegExp;
  readonly functions: ReadonlySet<string>;
  /** A condition under which the file is run, not imported. */
  readonly whenRun: RegExp;
}

const script: Rules = {
  calls: ["call_expression", "assignment_expression"],
  ends: /^(?:globalThis\.)?process\s*(?:\.|\[\s*["'])(?:exit|reallyExit)(?:["']\s*\])?\s*\(\s*0?\s*\)$|^process\.exitCode\s*=\s*0$/,
  isModule: /^\s*export\b|\bmodule\.exports\b|(?:^|[^.\w])exports\.\w/m,
  functions: new Set([
    "function_declaration",
    "function_expression",
    "arrow_function",
    "method_definition",
    "generator_function_declaration",
    "generator_function",
  ]),
  whenRun: /require\.main|import\.meta\.(?:main|url|filename)|process\.argv|__filename/,
};

const python: Rules = {
  calls: ["call", "raise_statement"],
  ends: /^(?:os\._exit\s*\(\s*0\s*\)|(?:sys\.exit|exit|quit)\s*\(\s*0?\s*\)|raise\s+SystemExit(?:\s*\(\s*0?\s*\))?)$/,
  isModule: /^(?:async\s+)?(?:def|class)\s|^[A-Za-z_]\w*\s*=/m,
  functions: new Set(["function_definition", "lambda"]),
  whenRun: /__name__/,
};

const rulesOf: Partial<Record<Language, Rules>> = {
  javascript: script,
  typescript: script,
  tsx: script,
  python,
  go: goRules(),
  java: javaRules(),
  ruby: rubyRules(),
};

/** Static blocks and fields of Java run when a class is loaded. */
function javaRules(): Rules {
  return {
    calls: ["method_invocation"],
    ends: /^(?:System\.exit|Runtime\.getRuntime\(\)\.(?:exit|halt))\(\s*0\s*\)$/,
    isModule: /\b(?:class|enum|interface|record)\b/,
    functions: new Set(["method_declaration", "constructor_declaration", "lambda_expression"]),
    whenRun: /^$/,
  };
}

/** Only `init` of Go runs when a package is loaded. */
function goRules(): Rules {
  return {
    calls: ["call_expression"],
    ends: /^(?:os\.Exit|syscall\.Exit)\(\s*0\s*\)$/,
    isModule: /^package (?!main\b)/m,
    functions: new Set(["function_declaration", "method_declaration", "func_literal"]),
    whenRun: /^$/,
  };
}

function rubyRules(): Rules {
  return {
    calls: ["call", "identifier"],
    ends: /^(?:exit!?|Kernel\.exit!?|Process\.exit!?)(?:\(?\s*(?:0|true)?\s*\)?)$/,
    isModule: /^\s*(?:def|class|module)\s/m,
    functions: new Set(["method", "singleton_method", "lambda"]),
    whenRun: /\$0|PROGRAM_NAME|__FILE__/,
  };
}

/** Climbs to the root: a function on the way is run at load only if it is called on the spot or handed to something that calls it. */
function isAtLoad(call: Node, rules: Rules): boolean {
  let at: Node | null = call;
  // Nobody nests honest code deeper, so what lies beyond is not looked for.
  for (let depth = 0; at !== null && depth < guardsLimits.treeClimbMax; depth += 1, at = at.parent) {
    if (
      /^if_statement$|^if$|^unless$|_modifier$|^conditional_expression$|^ternary_expression$|^binary_expression$|^boolean_operator$/.test(
        at.type,
      ) &&
      rules.whenRun.test(headOf(at))
    )
      return false;
    if (rules.functions.has(at.type) && !isRunAtOnce(at)) return false;
  }
  return true;
}

function headOf(node: Node): string {
  return (node.childForFieldName("condition") ?? node).text;
}

const callers =
  /^(?:process\.(?:on|once|nextTick|prependListener)|setTimeout|setImmediate|queueMicrotask|Promise\.resolve\(\)\.then|atexit\.register|at_exit)\b/;

function isRunAtOnce(fn: Node): boolean {
  if (
    fn.type === "function_declaration" &&
    fn.childForFieldName("name")?.text === "init" &&
    fn.parent?.type === "source_file"
  )
    return true;
  if (fn.parent?.type === "parenthesized_expression" && fn.parent.parent?.type === "call_expression") return true;
  const list = fn.parent;
  if (list?.type !== "arguments" && list?.type !== "argument_list") return false;
  return callers.test(list.parent?.childForFieldName("function")?.text ?? "");
}
