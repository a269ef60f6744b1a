import { childAt, type Syntax } from "../../../../syntax/syntax.ts";
import { chainOf, isFunction, wordsOf, type Link } from "./chain.ts";
import { fixedTruth, rowsOf, type Constants } from "./literals.ts";

/** A call that declares a test or a suite of tests. */
export interface Declaration {
  readonly kind: "test" | "suite";
  readonly node: Syntax;
  readonly title: string;
  readonly skipped: string | null;
  readonly focused: string | null;
  /** Rows of its own table; 1 without one. */
  readonly cases: number | null;
}

/** Reads a chain as a declaration: `describe.each([…])("x", fn)`, `it.skip("x", fn)`, `t.test("x", fn)`. */
export function declarationOf(node: Syntax, links: readonly Link[], constants: Constants): Declaration | undefined {
  const head = headOf(links);
  if (head === undefined) return undefined;
  const { kind, modifiers } = head;
  const args = links.at(-1)?.args;
  if (args === undefined || !modifiers.every(({ name }) => name === "" || known.has(name))) return undefined;
  const body = args.find((arg) => isFunction(arg) || arg.type === "call_expression");
  const [first] = args;
  const isTitled = first !== undefined && (titles.has(first.type) || (args.length > 1 && !isFunction(first)));
  if (!isTitled && body === undefined) return undefined;
  const title = isTitled ? wordsOf(first) : (childAt(body, "name")?.text ?? "");
  const options = args.find(({ type }) => type === "object");
  const isPending = kind === "test" && isTitled && args.length === 1 && body === undefined;
  const written = links.map(({ name }) => name).filter(Boolean);
  return {
    kind,
    node,
    title,
    skipped:
      skippedBy(written, modifiers) ??
      optionOf(options, /^(?:skip|todo|fails)$/, constants) ??
      (isPending ? pending(written) : null),
    focused: focusedBy(written) ?? optionOf(options, /^only$/, constants),
    cases: casesOf(modifiers, constants),
  };
}

const titles = new Set(["string", "template_string", "binary_expression"]);
const testNames = /^(?:it|test|specify|fit|ftest|xit|xtest|xspecify)$/;
const suiteNames = /^(?:describe|context|suite|fdescribe|xdescribe|xcontext|fcontext|xsuite)$/;
const known = new Set(
  `skip todo fails failing only each for concurrent sequential serial skipIf runIf if todoIf fixme slow parallel cb shuffle
  fail describe test it`.split(/\s+/),
);

/** `test.describe` is a suite; `t.test`, `tap.test` and `QUnit.test` are tests. */
function headOf(links: readonly Link[]): { kind: "test" | "suite"; modifiers: readonly Link[] } | undefined {
  const [root, second] = links;
  if (root === undefined) return undefined;
  const modifiers = links.slice(1);
  if (suiteNames.test(root.name) && links.length > 0) return { kind: "suite", modifiers };
  if (testNames.test(root.name)) {
    return { kind: modifiers.some(({ name }) => name === "describe") ? "suite" : "test", modifiers };
  }
  if (!/^(?:t|tt|st|tap|QUnit|Deno|suite|ctx)$/.test(root.name)) return undefined;
  const hasBody = links.at(-1)?.args?.some(isFunction) ?? false;
  if ((second?.name === "test" || second?.name === "it") && hasBody) return { kind: "test", modifiers };
  return second?.name === "module" && root.name === "QUnit"
    ? { kind: "suite", modifiers: modifiers.slice(1) }
    : undefined;
}

const skips =
  /^(?:skip|todo|fails|failing|fail|fixme|skipIf|runIf|if|todoIf|x(?:it|test|specify|describe|context|suite))$/;

function skippedBy(written: readonly string[], modifiers: readonly Link[]): string | null {
  const at = written.findIndex((name) => skips.test(name));
  if (at < 0) return null;
  const condition = modifiers.find(({ name }) => name === written[at])?.args?.[0];
  const isConditional = /If$|^if$/.test(written[at] ?? "") && condition !== undefined;
  return written.slice(0, at + 1).join(".") + (isConditional ? `(${condition.text})` : "");
}

const pending = (written: readonly string[]): string => `${written.join(".")} without a body`;

function focusedBy(written: readonly string[]): string | null {
  const at = written.findIndex((name) => /^(?:only|fit|ftest|fdescribe|fcontext)$/.test(name));
  return at < 0 ? null : written.slice(0, at + 1).join(".");
}

/** `{ skip: true }`; a `false` says nothing, and what depends on something is said to. */
function optionOf(options: Syntax | undefined, names: RegExp, constants: Constants): string | null {
  const truth = (value: Syntax | undefined): boolean | null =>
    fixedTruth(value?.type === "identifier" ? (constants(value) ?? value) : value);
  const found = options?.children.find((pair) => {
    const value = childAt(pair, "value");
    if (value === undefined) return names.test(pair.text);
    return names.test(childAt(pair, "key")?.text ?? "") && truth(value) !== false;
  });
  if (found === undefined) return null;
  const value = childAt(found, "value");
  const isOpen = value !== undefined && value.type !== "template_string" && truth(value) === null;
  return `{ ${found.text} }${isOpen ? ", if that holds" : ""}`;
}

function casesOf(modifiers: readonly Link[], constants: Constants): number | null {
  const table = modifiers.find(({ name, args }) => /^(?:each|for)$/.test(name) && args !== undefined);
  return table === undefined ? 1 : rowsOf(table.args?.[0], constants);
}

/** `t.skip()`, `this.skip()`, `test.skip(condition)` in the body of a test; as written. */
export function skipsItself(node: Syntax, links: readonly Link[]): string | null {
  const [root, last, ...more] = links;
  if (root === undefined || last?.args === undefined || more.length > 0 || root.args !== undefined) return null;
  if (!/^(?:skip|todo|fixme|fail)$/.test(last.name) || !/^(?:t|this|ctx|context|test|it|tt|st|task)$/.test(root.name))
    return null;
  if (last.name === "fail" && root.name !== "test") return null;
  if (last.args.some(isFunction)) return null;
  return `${chainOf(node)
    .map(({ name }) => name)
    .join(".")}()`;
}
