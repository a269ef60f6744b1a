import { childAt, type Syntax } from "../../../../syntax/syntax.ts";
import { guardsLimits } from "../../../limits.ts";
import type { Asserted } from "./assertions.ts";
import { chainOf, isFunction, wordsOf, isChainEnd, functionName, type Link } from "./names.ts";
import { fixedTruth, rowsOf, type Constants } from "./literals.ts";
import { atHome, joined, stepTo, type Ground, type Reach } from "./flow.ts";
import type { Vocabulary } from "./vocabulary.ts";

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

/** Reads `{ skip: true }`; `false` is no skip, and one that depends on something is shown as such. */
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

/** Finds `t.skip()`, `this.skip()` and `test.skip(condition)` in the body of a test; as written. */
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

/** One thing a file says that matters for tests, at its place. */
export interface Finding {
  readonly node: Syntax;
  readonly links: readonly Link[];
  readonly asserted: readonly Asserted[];
  /** The skip as written, where it skips the test around it. */
  readonly skip: string | null;
}

/** All that one look over the nodes of a file finds. */
export interface Findings {
  readonly nodes: readonly Syntax[];
  readonly vocabulary: Vocabulary;
  readonly declared: ReadonlyMap<Syntax, Declaration>;
  readonly chains: readonly Finding[];
}

/** What stands around a node. */
export interface Around {
  /** The test, or the function with a name, to which it belongs; undefined for hooks and what stands outside. */
  readonly owner: Syntax | undefined;
  /** The nearest test or suite. */
  readonly declaration: Declaration | undefined;
  /** How it is reached from its owner. */
  readonly reach: Reach;
}

/** Tells what stands around each node. */
export type Surroundings = (node: Syntax) => Around;

/** Looks at each node once, from outside in: climbing from each would take the square of a deep tree. */
export function surroundings(
  { nodes, declared, vocabulary }: Findings,
  failsWithin: Ground["failsWithin"],
): Surroundings {
  const chains = new Map<Syntax, Syntax>();
  for (const node of nodes) {
    const outer = node.parent === undefined ? undefined : chains.get(node.parent);
    chains.set(node, isChainEnd(node) || outer === undefined ? node : outer);
  }
  const ground = {
    constants: vocabulary.constants,
    failsWithin,
    chainAround: (call: Syntax) => chains.get(call) ?? call,
  };
  const found = new Map<Syntax, Around>();
  for (const node of nodes) {
    const outer = node.parent === undefined ? nowhere : (found.get(node.parent) ?? nowhere);
    found.set(node, inside(node, outer, { declared, ground }));
  }
  return (node) => found.get(node) ?? nowhere;
}

const nowhere: Around = { owner: undefined, declaration: undefined, reach: atHome };

interface Known {
  readonly declared: Findings["declared"];
  readonly ground: Ground;
}

function inside(node: Syntax, outer: Around, { declared, ground }: Known): Around {
  const { parent } = node;
  if (parent === undefined) return outer;
  const declaration = declared.get(parent);
  const isOwner = declaration?.kind === "test" || functionName(parent) !== undefined;
  return {
    owner: isOwner ? parent : outer.owner,
    declaration: declaration ?? outer.declaration,
    reach: stepTo(node, isOwner ? atHome : outer.reach, ground),
  };
}

/** Lists the tests and suites around a node, from inside out. */
export function declarationsAround(node: Syntax, around: Surroundings): Declaration[] {
  const found: Declaration[] = [];
  let next = around(node).declaration;
  while (next !== undefined && found.length < guardsLimits.syntaxDepthMax) {
    found.push(next);
    next = around(next.node).declaration;
  }
  return found;
}

/** Finds how a node is reached from the beginning of the file, and the functions it is in. */
export function wayTo(
  node: Syntax,
  around: Surroundings,
): { readonly reach: Reach; readonly owners: readonly Syntax[] } {
  const owners: Syntax[] = [];
  let { owner, reach } = around(node);
  while (owner !== undefined && owners.length < guardsLimits.syntaxDepthMax) {
    owners.push(owner);
    const outer = around(owner);
    reach = joined(outer.reach, reach);
    owner = outer.owner;
  }
  return { reach, owners };
}
