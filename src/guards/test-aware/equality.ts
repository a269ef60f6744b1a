import { childAt, type Syntax } from "../../syntax/syntax.ts";

/** Finds lines of methods for equality that say yes without a look at the object they belong to. */
export function blindEqualities(nodes: readonly Syntax[]): number[] {
  return nodes.flatMap((node) => (isEquality(node) && isBlind(node) ? linesOf(node) : []));
}

const methods = /^(?:function_definition|method_definition|method_declaration|function_item|method)$/;

/** Whether a node is a method by which assertions ask whether two things are equal. */
function isEquality(node: Syntax): boolean {
  if (node.type === "lambda") return childAt(node.parent, "left")?.text === "__eq__";
  if (!methods.test(node.type)) return false;
  const name = childAt(node, "name")?.text ?? "";
  if (node.type === "function_item") return name === "eq" && node.parent?.parent?.type === "impl_item";
  return /^(?:__eq__|__ne__|equals|Equal|==|eql\?|asymmetricMatch)$/.test(name);
}

/** Whether a method's answer is always the same, or depends only on the type of the other value. */
function isBlind(node: Syntax): boolean {
  const body = childAt(node, "body");
  const answers = node.type === "lambda" && body !== undefined ? [body] : answersOf(body);
  const [only] = answers;
  if (body === undefined || only === undefined || answers.length > 1) return false;
  const yes = childAt(node, "name")?.text === "__ne__" ? /^False$/ : /^[Tt]rue$/;
  if (yes.test(only.text) || leavesOutOther(node, only.text)) return true;
  const asked = isKind
    .exec(only.text)
    ?.slice(1)
    .find((kind) => kind !== undefined);
  return asked !== undefined && !ownNames(node).includes(asked);
}

/** Whether an `__eq__` answers without the other object, and does not refuse to answer. */
function leavesOutOther(node: Syntax, answer: string): boolean {
  if (node.type !== "lambda" && childAt(node, "name")?.text !== "__eq__") return false;
  const other = childAt(node, "parameters")?.children[1]?.text.match(/^\w+/)?.[0];
  if (other === undefined || /^(?:NotImplemented|False|None)$/.test(answer)) return false;
  return !new RegExp(`\\b${other}\\b`).test(answer);
}

/** This matches `isinstance(other, str)`, `other instanceof String`, `other.is_a?(String)`, `typeof other === "string"` and `other is not None`. */
const isKind =
  /^isinstance\(\s*\w+\s*,\s*\(?\s*([\w.]+)[^()]*\)?\s*\)$|^\w+ instanceof (\w+)$|^\w+\.(?:is_a|kind_of)\?\(?\s*(\w+)\s*\)?$|^typeof \w+ === ["'](\w+)["']$|^\w+ (?:is not|!==?) (None|null|undefined)$/;

/** Returns the names of the class around a method: it may be one whose objects are all alike. */
function ownNames(node: Syntax): string[] {
  const owner = node.parent?.parent;
  const decorated = owner?.type === "block" ? owner.parent : owner;
  return [owner, decorated].flatMap((one) => childAt(one, "name")?.text ?? []);
}

/** Finds what is given back: by `return`, or as the last value of a block. */
function answersOf(body: Syntax | undefined): readonly Syntax[] {
  const statements = (listOf(body)?.children ?? []).filter(
    ({ type, children }) =>
      !type.endsWith("comment") && !(type === "expression_statement" && children[0]?.type === "string"),
  );
  if (statements.length !== 1) return [];
  const [only] = statements;
  if (only === undefined) return [];
  return only.type === "return_statement" || only.type === "return"
    ? firstOf(only)
    : only.children.length === 1 && only.type === "expression_statement"
      ? only.children
      : [only];
}

/** Go keeps its statements one level deeper. */
function listOf(body: Syntax | undefined): Syntax | undefined {
  const [only] = body?.children ?? [];
  return only?.type === "statement_list" ? only : body;
}

/** Returns the value of a `return`, also where it stands in a list of one. */
function firstOf({ children }: Syntax): readonly Syntax[] {
  const [value] = children;
  return value !== undefined && /^(?:expression_list|argument_list)$/.test(value.type) ? value.children : children;
}

function linesOf({ line, lastLine }: Syntax): number[] {
  return Array.from({ length: Math.min(lastLine - line + 1, linesMax) }, (_, at) => line + at);
}

/** A method with one statement and its documentation is not longer. */
const linesMax = 50;
