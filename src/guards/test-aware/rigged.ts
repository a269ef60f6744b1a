import { childAt, type Syntax } from "../../syntax/syntax.ts";

/** Finds lines on which JavaScript or Python replaces members of what tests rely on: assertions, runners, clocks, equality. */
export function riggedLines(nodes: readonly Syntax[], language: "javascript" | "python"): number[] {
  const names = namesOf(nodes);
  const reliedOn = language === "python" ? inPython : inScripts;
  return nodes.flatMap((node) => {
    const target = replacedBy(node);
    if (target === undefined || target.length > targetCharsMax) return [];
    const full = withoutAliases(target, names);
    return reliedOn.test(full) && !isFallback(node, target) ? [node.line] : [];
  });
}

/** No name of a thing to replace is longer. */
const targetCharsMax = 200;

/** Names are full: a module, by the name it is loaded by, and its members. */
const inScripts =
  /^(?:(?:node:)?(?:assert|test)|chai|vitest|@jest\/globals|@vitest\/\w+|expect|bun:test|ava|tape|uvu\/assert|power-assert|jest|vi|jasmine|should)(?:\/strict)?\.(?!.*\bconfig\b).|^(?:globalThis\.|global\.|window\.)?(?:performance\.(?:now|timeOrigin)|Date(?:\.now|\.prototype\.(?:getTime|valueOf))?|process\.(?:hrtime(?:\.bigint)?|uptime)|Object\.is|JSON\.stringify|(?:Object|Number|String|Array)\.prototype\.(?:valueOf|toString|toJSON|equals)|performance)$|^(?:globalThis|global|window)\.(?:assert|expect)$|^(?:node:)?perf_hooks\.performance\.now$/;

const inPython =
  /^(?:unittest|pytest|_pytest|nose)\.|^time\.(?:time|perf_counter|monotonic|process_time|thread_time)(?:_ns)?$|^timeit\.default_timer$|^(?:builtins|__builtins__)\.(?!_$).|^(?:datetime\.(?:datetime|date)|math\.isclose|operator\.eq)$/;

/** Names what an assignment, `Object.assign`, `defineProperty` or `setattr` replaces, as written with dots. */
function replacedBy(node: Syntax): string | undefined {
  if (node.type === "assignment_expression" || node.type === "assignment") {
    const left = childAt(node, "left");
    return /^(?:member_expression|subscript_expression|attribute|subscript)$/.test(left?.type ?? "")
      ? dotted(left)
      : undefined;
  }
  if (node.type !== "call_expression" && node.type !== "call") return undefined;
  const callee = childAt(node, "function")?.text ?? "";
  if (!/^(?:(?:Object|Reflect)\.(?:assign|defineProperty|defineProperties|set)|setattr)$/.test(callee))
    return undefined;
  const [object, member] = childAt(node, "arguments")?.children ?? [];
  const key = /^(?:object)$/.test(member?.type ?? "") ? childAt(member?.children[0], "key")?.text : member?.text;
  return object === undefined ? undefined : `${dotted(object)}.${(key ?? "").replace(/^["'`]|["'`]$/g, "")}`;
}

function dotted(node: Syntax | undefined): string {
  if (node === undefined || node.end - node.start > targetCharsMax) return "";
  return node.text.replace(/\s+|\?(?=\.)/g, "").replace(/\[["'`](\w+)["'`]\]/g, ".$1");
}

/** What was not there before is no rigging: `if (!globalThis.performance) globalThis.performance = …`. */
function isFallback(node: Syntax, target: string): boolean {
  const last = target.split(".").at(-1) ?? "";
  let at = node.parent;
  for (let steps = 0; at !== undefined && steps < stepsMax; steps += 1, at = at.parent) {
    const condition = /^if_statement$/.test(at.type) ? childAt(at, "condition") : undefined;
    if (condition?.text.includes(last) === true && /!|typeof|undefined|not|None/.test(condition.text)) return true;
  }
  return false;
}

/** The condition right around an assignment is no more steps away. */
const stepsMax = 4;

/** Finds what each name of the file stands for: an imported module, a part of it, or another name. */
function namesOf(nodes: readonly Syntax[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const node of nodes) {
    if (node.type === "import_statement") noteImport(node, names);
    else if (node.type === "import_from_statement") notePartsOfModule(node, names);
    else if (node.type === "variable_declarator" || node.type === "assignment") noteVariable(node, names);
  }
  return names;
}

function noteImport(node: Syntax, names: Map<string, string>): void {
  const source = quoted(childAt(node, "source"));
  if (source === undefined) {
    for (const one of node.children) {
      const name = childAt(one, "alias")?.text;
      if (name !== undefined) names.set(name, childAt(one, "name")?.text ?? "");
    }
    return;
  }
  for (const part of node.children[0]?.children ?? []) {
    const local = part.type === "identifier" ? part : part.children.at(-1);
    if (part.type !== "named_imports") names.set(local?.text ?? "", source);
    for (const one of part.type === "named_imports" ? part.children : []) {
      const name = childAt(one, "name")?.text ?? "";
      const isWhole = name === "default" || name === "strict" || name === "assert";
      names.set(childAt(one, "alias")?.text ?? name, isWhole ? source : `${source}.${name}`);
    }
  }
}

function notePartsOfModule(node: Syntax, names: Map<string, string>): void {
  const module = childAt(node, "module_name")?.text ?? "";
  for (const one of node.children.filter(({ field }) => field === "name")) {
    const name = childAt(one, "name")?.text ?? one.text;
    names.set(childAt(one, "alias")?.text ?? name, `${module}.${name}`);
  }
}

/** Notes `const a = require("assert")` and `const b = a`. */
function noteVariable(node: Syntax, names: Map<string, string>): void {
  const name = childAt(node, "name") ?? childAt(node, "left");
  const value = childAt(node, "value") ?? childAt(node, "right");
  if (name?.type !== "identifier" || value === undefined || value.text.length > targetCharsMax) return;
  const required = /^require\(\s*["'`]([^"'`]+)["'`]\s*\)((?:\.\w+)*)$/.exec(value.text);
  if (required !== null) names.set(name.text, `${required[1]}${(required[2] ?? "").replace(/^\.strict$/, "")}`);
  else if (/^[\w$]+(?:\.[\w$]+)*$/.test(value.text) && value.text !== name.text) names.set(name.text, value.text);
}

function withoutAliases(target: string, names: ReadonlyMap<string, string>): string {
  let full = target;
  for (let steps = 0; steps < stepsMax; steps += 1) {
    const [root = "", ...rest] = full.split(".");
    const known = names.get(root);
    if (known === undefined) return full;
    full = [known, ...rest].join(".");
    if (/[:/]/.test(known)) return full;
  }
  return full;
}

function quoted(node: Syntax | undefined): string | undefined {
  return node?.type === "string" ? node.text.slice(1, -1) : undefined;
}
