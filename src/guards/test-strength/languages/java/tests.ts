import type { Node } from "../../../../syntax/parse.ts";
import { field, named } from "../shared/assertions.ts";

/** What annotations say of a class or method. */
export interface Annotations {
  readonly names: ReadonlySet<string>;
  readonly skipped: string | null;
  readonly cases: number | null;
  /** `@Test(expected = …)`: the exception's name. */
  readonly expected: string | undefined;
}

/** Reads the annotations of a declaration. */
export function annotationsOf(declaration: Node): Annotations {
  const modifiers = named(declaration).find(({ type }) => type === "modifiers");
  const all = (modifiers === undefined ? [] : named(modifiers)).filter(({ type }) => type.endsWith("annotation"));
  const names = all.map(nameOf);
  const test = all.find((one) => nameOf(one) === "Test");
  return {
    names: new Set(names),
    skipped: all.map(skipOf).find((how) => how !== null) ?? null,
    cases: casesOf(all),
    expected: (valueOf(test, "expected") ?? valueOf(test, "expectedExceptions"))?.text.replace(/\.class$/, ""),
  };
}

/** Returns `Ignore` of `@org.junit.Ignore`. */
function nameOf(annotation: Node): string {
  const name = field(annotation, "name");
  return name?.type === "scoped_identifier" ? (field(name, "name")?.text ?? "") : (name?.text ?? "");
}

function skipOf(annotation: Node): string | null {
  const name = nameOf(annotation);
  if (/^(?:Disabled|Ignore|Enabled(?:If|On|For)|DisabledIf|DisabledOn|DisabledFor)/.test(name)) return `@${name}`;
  return name === "Test" && valueOf(annotation, "enabled")?.text === "false" ? "@Test(enabled = false)" : null;
}

function valueOf(annotation: Node | undefined, key: string): Node | undefined {
  const list = field(annotation, "arguments");
  const pairs = list === undefined ? [] : named(list);
  return field(
    pairs.find((pair) => pair.type === "element_value_pair" && field(pair, "key")?.text === key),
    "value",
  );
}

/** Counts the rows of all sources together; null where one is a method, an enum or a file. */
function casesOf(all: readonly Node[]): number | null {
  let rows = 0;
  for (const annotation of all) {
    const name = nameOf(annotation);
    if (name === "RepeatedTest") rows += Number(valuesIn(annotation)[0]?.text ?? 1) || 1;
    if (name === "NullSource" || name === "EmptySource") rows += 1;
    if (name === "NullAndEmptySource") rows += 2;
    if (name === "ValueSource" || name === "CsvSource") rows += rowsOf(annotation);
    if (/^(?:Method|Enum|CsvFile|Arguments|Field)Source$|^FieldSource$/.test(name)) return null;
  }
  return Math.max(1, rows);
}

function rowsOf(annotation: Node): number {
  const block = valueOf(annotation, "textBlock");
  if (block !== undefined)
    return block.text
      .split("\n")
      .slice(1, -1)
      .filter((line) => line.trim() !== "").length;
  return valuesIn(annotation).length;
}

/** Returns the values of the only list or value that an annotation has. */
function valuesIn(annotation: Node): Node[] {
  const list = field(annotation, "arguments");
  const given = (list === undefined ? [] : named(list)).map((one) => field(one, "value") ?? one);
  return given.flatMap((one) => (one.type === "element_value_array_initializer" ? named(one) : [one]));
}
