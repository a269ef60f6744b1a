import { withTree } from "../../syntax/parse.ts";
import { childAt, syntaxOf, type Syntax } from "../../syntax/syntax.ts";
import type { ChangedText } from "../content-guard.ts";
import { evidenceLines } from "../evidence-lines.ts";
import type { Loss } from "./compare.ts";

/** Finds rows of tables in Python whose values ran before and are now marked to be skipped or to fail: `pytest.param(x, marks=xfail)`. */
export async function skippedRows(changes: readonly ChangedText[]): Promise<Loss[]> {
  const files = changes.filter(({ path }) => path.endsWith(".py"));
  const before = await Promise.all(files.map(({ before: text }) => valuesOf(text)));
  const ran = new Set(before.flatMap(({ ran: values }) => [...values]));
  const losses = await Promise.all(files.map(async ({ path, after }) => lossIn(path, await valuesOf(after), ran)));
  return losses.flat();
}

interface Row {
  readonly line: number;
  readonly text: string;
  readonly values: readonly string[];
}

interface Values {
  readonly marked: readonly Row[];
  /** Literals that stand outside of marked rows. */
  readonly ran: ReadonlySet<string>;
}

function lossIn(path: string, { marked, ran: running }: Values, ran: ReadonlySet<string>): Loss[] {
  const lost = marked.filter(({ values }) => values.some((value) => ran.has(value) && !running.has(value)));
  if (lost.length === 0) return [];
  const shown = lost.map(({ line, text }) => ({ sign: "+" as const, line, text: text.split("\n")[0] ?? "" }));
  return [{ path, why: "values that were tested are marked to be skipped or to fail", evidence: evidenceLines(shown) }];
}

async function valuesOf(text: string | null): Promise<Values> {
  const none = { marked: [], ran: new Set<string>() };
  if (text === null) return none;
  const found = await withTree(text, "python", (root) => {
    const rowOf = new Map<Syntax, Syntax>();
    const values = new Map<Syntax, string[]>();
    const ran = new Set<string>();
    // Outer nodes come first, so each knows the row it stands in from its parent.
    for (const node of syntaxOf(root, text)) {
      const outer = node.parent === undefined ? undefined : rowOf.get(node.parent);
      const row = outer ?? (isMarked(node) ? node : undefined);
      if (row !== undefined) rowOf.set(node, row);
      if (row === node) values.set(row, []);
      if (!isLiteral(node)) continue;
      if (row === undefined) ran.add(node.text);
      else if (!isOfMark(node)) values.get(row)?.push(node.text);
    }
    const marked = [...values].map(([row, its]) => ({ line: row.line, text: row.text, values: its }));
    return { marked, ran };
  });
  return found ?? none;
}

/** A condition may be honest: a platform, a version. */
function isMarked(node: Syntax): boolean {
  if (node.type !== "call" || !/(?:^|\.)param$/.test(childAt(node, "function")?.text ?? "")) return false;
  const given = childAt(node, "arguments")?.children ?? [];
  const marks = given.find((one) => one.type === "keyword_argument" && childAt(one, "name")?.text === "marks");
  return (
    marks !== undefined && /\b(?:skip|xfail)\b(?!\s*\(\s*(?:condition\s*=|sys\.|os\.|platform\.))/.test(marks.text)
  );
}

function isOfMark(node: Syntax): boolean {
  let at = node.parent;
  for (let steps = 0; at !== undefined && steps < stepsMax; steps += 1, at = at.parent)
    if (at.type === "keyword_argument") return true;
  return false;
}

/** The arguments of a row are no more steps away from one of its values. */
const stepsMax = 10;

/** Short numbers and words are everywhere; only what is distinctive counts. */
function isLiteral({ type, text }: Syntax): boolean {
  return /^(?:string|integer|float)$/.test(type) && text.length >= (type === "string" ? 5 : 3);
}
