import type { Node } from "../../../../syntax/parse.ts";
import { field, isLong, named } from "../shared/assertions.ts";
import type { Found } from "../shared/found.ts";
import { product } from "../shared/walk.ts";
import { dotted, keyword, lastName, positional } from "./names.ts";

/** What decorators say about a test or a class of tests. */
export interface Marks {
  readonly skipped: string | null;
  readonly cases: number | null;
  readonly fixture: "none" | "asked" | "always";
}

/** Reads decorators, and marks assigned to `pytestmark`. */
export function marksOf(expressions: readonly Node[], found: Found): Marks {
  let marks: Marks = { skipped: null, cases: 1, fixture: "none" };
  for (const expression of expressions) {
    const rows = rowsOfMark(expression, found);
    const skipped =
      marks.skipped ?? skipOf(expression, found) ?? (rows === 0 ? `@${nameOf(expression, found)}([])` : null);
    marks = { skipped, cases: product(marks.cases, rows), fixture: fixtureOf(expression) ?? marks.fixture };
  }
  return marks;
}

/** Returns the expressions that decorate a definition. */
export function decorations(definition: Node): Node[] {
  return named(definition)
    .filter(({ type }) => type === "decorator")
    .flatMap((decorator) => named(decorator).slice(0, 1));
}

/** Counts the rows of a literal list, or of a name that stands for one; null where the text does not show it. */
export function rowsOf(node: Node | undefined, found: Found): number | null {
  if (node?.type === "identifier")
    return found.parameters.has(node.text) ? null : (found.tables.get(node.text) ?? null);
  if (node?.type === "call" && lastName(node) === "items")
    return rowsOf(field(field(node, "function"), "object"), found);
  if (node === undefined || !listTypes.has(node.type)) return null;
  const rows = named(node);
  return rows.some(({ type }) => type.endsWith("splat")) ? null : rows.filter((row) => !isSkippedRow(row)).length;
}

const listTypes: ReadonlySet<string> = new Set(["list", "tuple", "set", "dictionary"]);

function isSkippedRow(row: Node): boolean {
  if (row.type !== "call" || lastName(row) !== "param") return false;
  const marks = keyword(row, "marks");
  return marks !== undefined && !isLong(marks) && /\b(?:skip|xfail)/.test(marks.text);
}

function calleeOf(expression: Node): Node | undefined {
  return expression.type === "call" ? field(expression, "function") : expression;
}

function nameOf(expression: Node, { aliases }: Found): string {
  const written = dotted(calleeOf(expression));
  return aliases.get(written) ?? written;
}

/** Looks at the last name, so that no spelling of an import hides it; a condition that is always false skips nothing. */
function skipOf(expression: Node, found: Found): string | null {
  const name = nameOf(expression, found);
  if (!/(?:^|\.)(?:skip\w*|xfail|expectedFailure)$/i.test(name)) return null;
  const condition = expression.type === "call" ? positional(expression)[0]?.text : undefined;
  const unless = /unless$/i.test(name);
  const never = condition !== undefined && (unless ? condition === "True" : condition === "False");
  if (never) return null;
  return /skip(?:if|unless)$/i.test(name) ? `@${name}(…)` : `@${name}`;
}

function rowsOfMark(expression: Node, found: Found): number | null {
  if (expression.type !== "call") return 1;
  const name = lastName(expression);
  if (name === "parametrize") return rowsOf(keyword(expression, "argvalues") ?? positional(expression)[1], found);
  if (name === "expand") return rowsOf(positional(expression)[0], found);
  return name === "data" ? Math.max(1, positional(expression).length) : 1;
}

function fixtureOf(expression: Node): Marks["fixture"] | undefined {
  if (lastName(expression) !== "fixture") return undefined;
  const always = expression.type === "call" && keyword(expression, "autouse")?.text === "True";
  return always ? "always" : "asked";
}
