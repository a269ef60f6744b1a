import type { Node } from "../../syntax/parse.ts";
import { guardsLimits } from "../limits.ts";

/**
 * Finds lines by which Rust does one thing for tests and another for everybody else: `cfg!(test)`, a statement under `#[cfg(test)]`,
 * and one function written twice. Modules, helpers and imports that are there for tests alone are honest.
 */
export function testOnlyLines(root: Node, lines: readonly string[]): number[] {
  const found = root.descendantsOfType("attribute_item").slice(0, guardsLimits.attributesInspectedMax);
  const attributes = found.flatMap((node) => conditionOf(node) ?? []);
  const tested = new Uint8Array(lines.length);
  for (const { isForTests, item } of attributes)
    if (isForTests && isItem(item)) tested.fill(1, item.startPosition.row, item.endPosition.row + 1);
  const isTested = (row: number): boolean => tested[row] === 1;
  const asked = lines.flatMap((line, row) => (asksForTests.test(line) && !isTested(row) ? [row + 1] : []));
  const statements = attributes.filter(({ at, item }) => at.parent?.type === "block" && !isItem(item));
  const outside = statements.filter(({ at }) => !isTested(at.startPosition.row));
  return [...asked, ...[...outside, ...twice(attributes)].map(({ at }) => at.startPosition.row + 1)];
}

const asksForTests = /\bcfg!\s*\([^"]{0,100}\btest\b/;

/** An item or statement that is there only in tests, or only outside them. */
interface Condition {
  readonly at: Node;
  readonly item: Node;
  readonly isForTests: boolean;
}

function conditionOf(at: Node | null): Condition | undefined {
  const text = at === null || at.endIndex - at.startIndex > attributeCharsMax ? "" : at.text;
  const isTest = /^#\[\s*(?:\w+::)*test\b/.test(text);
  const item = itemAfter(at);
  if (at === null || item === undefined || (!isTest && !/^#\[\s*cfg\s*\([^"]*\btest\b/.test(text))) return undefined;
  return { at, item, isForTests: isTest || !/\bnot\s*\(\s*test\b/.test(text) };
}

/** No condition on tests is longer. */
const attributeCharsMax = 200;

function itemAfter(attribute: Node | null): Node | undefined {
  let at = attribute?.nextNamedSibling;
  for (let steps = 0; steps < attributesInARowMax && isAbove(at); steps += 1) at = at?.nextNamedSibling;
  return at ?? undefined;
}

/** Real code does not put more attributes and comments above one item. */
const attributesInARowMax = 30;

function isAbove(node: Node | null | undefined): boolean {
  return /^(?:attribute_item|line_comment|block_comment)$/.test(node?.type ?? "");
}

function isItem({ type }: Node): boolean {
  return /_item$|^(?:use|extern_crate)_declaration$|^macro_definition$/.test(type);
}

/** Finds both places of a function that is written once for tests and once for the rest. */
function twice(conditions: readonly Condition[]): Condition[] {
  const functions = conditions.filter(({ item }) => item.type === "function_item");
  const keyed = functions.map((one) => ({
    one,
    key: `${one.item.parent?.id} ${one.item.childForFieldName("name")?.text}`,
  }));
  const [forTests, forOthers] = [true, false].map(
    (wanted) => new Set(keyed.filter(({ one }) => one.isForTests === wanted).map(({ key }) => key)),
  );
  return keyed.filter(({ key }) => forTests?.has(key) === true && forOthers?.has(key) === true).map(({ one }) => one);
}
