import type { Node } from "../../../../syntax/parse.ts";
import { syntaxOf, childAt, type Syntax } from "../../../../syntax/syntax.ts";
import type { TestFile, TestReader, Assertion, Call, Helper, TestCase } from "../../model.ts";
import {
  declarationsAround,
  surroundings,
  wayTo,
  declarationOf,
  skipsItself,
  type Surroundings,
  type Declaration,
  type Finding,
  type Findings,
} from "./tests.ts";
import { assertedBy } from "./assertions.ts";
import { chainOf, isChainEnd, functionName, type Link } from "./names.ts";
import { withoutFakes, mocksOf } from "./fakes.ts";
import { isFloating, type Reach } from "./flow.ts";
import { vocabularyOf } from "./vocabulary.ts";

/** Reads tests in JavaScript and TypeScript: node:test, Vitest, Jest, Mocha with Chai, AVA, tap, Playwright. */
export const javascript: TestReader = { read };

function read(root: Node, text: string): TestFile {
  const nodes = syntaxOf(root, text);
  const vocabulary = vocabularyOf(nodes);
  const declared = new Map<Syntax, Declaration>();
  const chains: Finding[] = [];
  for (const node of nodes) {
    if (!isChainEnd(node)) continue;
    const links = chainOf(node);
    const declaration = declarationOf(node, links, vocabulary.constants);
    const skip = skipsItself(node, links);
    if (declaration !== undefined && skip === null) declared.set(node, declaration);
    else chains.push({ node, links, skip, asserted: skip === null ? assertedBy(links, vocabulary) : [] });
  }
  const heard = withoutFakes(nodes, chains);
  const mocks = chains.flatMap(({ node, links }) => mocksOf(links, node.line, vocabulary.imports));
  const imports = vocabulary.imports.map(({ source }) => source);
  return { ...gather({ nodes, vocabulary, declared, chains: heard }), mocks, imports };
}

/** What was found in one owner. */
interface Heap {
  readonly assertions: Assertion[];
  readonly calls: Call[];
  readonly lost: string[];
  readonly conditions: (string | null)[];
  /** Ways to fail without an assertion: throws, queries that find nothing. */
  readonly byHand: Assertion[];
  skip: string | null;
  /** It says how many assertions must run, so none can go missing silently. */
  counted: boolean;
}

const emptyHeap = (): Heap => ({
  assertions: [],
  calls: [],
  lost: [],
  conditions: [],
  byHand: [],
  skip: null,
  counted: false,
});

/** Gives every finding to the test or function it is in. */
export function gather(findings: Findings): Pick<TestFile, "tests" | "helpers"> {
  const { nodes, declared } = findings;
  const around = surroundings(findings, failures(findings));
  const heaps = new Map<Syntax | undefined, Heap>([[undefined, emptyHeap()]]);
  const named = nodes.flatMap((node) => {
    const name = functionName(node);
    return name === undefined ? [] : [{ node, name }];
  });
  for (const { node } of named) heaps.set(node, emptyHeap());
  for (const [node, { kind }] of declared) if (kind === "test") heaps.set(node, emptyHeap());
  const heapOf = (node: Syntax | undefined): Heap => heaps.get(node) ?? emptyHeap();
  for (const finding of findings.chains) {
    const { owner, reach } = around(finding.node);
    put(heapOf(owner), finding, reach);
  }
  for (const node of nodes) {
    if (node.type === "throw_statement") heapOf(around(node).owner).byHand.push(assertionAt(node, "strong"));
  }
  const tests = [...declared.values()].filter(({ kind }) => kind === "test");
  const used = usedNames(nodes);
  return {
    tests: tests.map((test) => testCase(test, heapOf(test.node), { around, used })),
    helpers: [
      helper("", nodes[0], heapOf(undefined)),
      ...named.map(({ name, node }) => helper(name, node, heapOf(node))),
    ],
  };
}

const assertionAt = (node: Syntax, force: Assertion["force"], times = 1): Assertion => ({
  line: node.line,
  force,
  times,
});

function put(heap: Heap, { node, links, asserted, skip }: Finding, reach: Reach): void {
  const times = reach.rows;
  heap.skip ??= skip;
  for (const { force, parts, later } of asserted) {
    const lost = reach.lost ?? (later && isFloating(node) ? "are not awaited" : null);
    if (lost !== null) heap.lost.push(lost);
    else {
      heap.assertions.push({ ...assertionAt(node, force, times), ...(parts > 1 ? { parts } : {}) });
      heap.conditions.push(reach.condition);
    }
  }
  const names = links.flatMap(({ name, args }) => (args === undefined || name === "" ? [] : [name]));
  const isPlan = names.some((name) => /^(?:assertions|hasAssertions|plan)$/.test(name));
  heap.counted ||= isPlan;
  if (isPlan || asserted.length > 0 || reach.lost !== null) return;
  const handed = links.flatMap(({ args }) => args ?? []).filter(({ type }) => type === "identifier");
  for (const name of [...names, ...handed.map(({ text }) => text)]) heap.calls.push({ name, line: node.line, times });
  if (names.some((name) => /^(?:get|find)(?:All)?By[A-Z]/.test(name))) heap.byHand.push(assertionAt(node, "weak"));
}

interface Context {
  readonly around: Surroundings;
  readonly used: ReadonlyMap<string, number>;
}

function testCase(test: Declaration, heap: Heap, { around, used }: Context): TestCase {
  const { node } = test;
  const all = [test, ...declarationsAround(node, around)];
  const { reach, owners } = wayTo(node, around);
  const uncalled = owners.find((owner) => !isExported(owner) && used.get(functionName(owner) ?? "") === 1);
  const conditional = reach.condition;
  const counts = [...all.map(({ cases }) => cases), reach.isOpen ? null : reach.rows];
  return {
    name: all
      .toReversed()
      .map(({ title }) => title)
      .join(" > "),
    line: node.line,
    end: node.lastLine,
    cases: counts.reduce((product, count) => (product === null || count === null ? null : product * count), 1),
    skipped: all.find(({ skipped }) => skipped !== null)?.skipped ?? heap.skip ?? conditional,
    focused: all.find(({ focused }) => focused !== null)?.focused ?? null,
    muted: reach.lost ?? (uncalled === undefined ? mutedBy(heap) : "stand in a function that nothing calls"),
    assertions: asserting(heap),
    calls: [...heap.calls, ...handedOver(node)],
  };
}

function isExported({ parent, type }: Syntax): boolean {
  const declaration = type.endsWith("_declaration") ? parent : parent?.parent?.parent;
  return declaration?.type === "export_statement" || type === "method_definition";
}

/** `test("x", checkIt)`: the function is the test. */
function handedOver(test: Syntax): Call[] {
  const args = childAt(test, "arguments")?.children ?? [];
  const names = args.filter(({ type }) => type === "identifier");
  return names.map(({ text, line }) => ({ name: text, line, times: 1 }));
}

function mutedBy({ assertions, lost, conditions, counted }: Heap): string | null {
  if (counted) return null;
  const [reason] = lost;
  if (assertions.length === 0) return reason ?? null;
  const [condition] = conditions;
  if (condition === null || condition === undefined || conditions.includes(null)) return null;
  if (condition === "catch") return "stand in a catch that nothing has to reach";
  return `stand behind \`${condition}\``;
}

const asserting = ({ assertions, lost, byHand }: Heap): readonly Assertion[] =>
  assertions.length === 0 && lost.length === 0 ? byHand : assertions;

function helper(name: string, node: Syntax | undefined, heap: Heap): Helper {
  const isAsserting = /^_*(?:assert|expect|check|verify|ensure|must|should)/i.test(name);
  const assertions = isAsserting ? asserting(heap) : heap.assertions;
  return { name, line: node?.line ?? 1, end: node?.lastLine ?? 1, assertions, calls: heap.calls };
}

function usedNames(nodes: readonly Syntax[]): ReadonlyMap<string, number> {
  const used = new Map<string, number>();
  for (const { type, text } of nodes) {
    if (/identifier/.test(type)) used.set(text, (used.get(text) ?? 0) + 1);
  }
  return used;
}

/** Whether a failure can come out of a part of the text; by offsets, because every branch asks. */
function failures({ nodes, chains }: Findings): (node: Syntax) => boolean {
  const asserted = chains.filter(({ asserted: found, links }) => found.length > 0 || links.some(isFailure));
  const thrown = nodes.filter(({ type }) => type === "throw_statement");
  const offsets = [...asserted.map(({ node }) => node.start), ...thrown.map(({ start }) => start)];
  offsets.sort((a, b) => a - b);
  return ({ start, end }) => {
    let low = 0;
    let high = offsets.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((offsets[middle] ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return (offsets[low] ?? Infinity) < end;
  };
}

const isFailure = ({ name }: Link): boolean => /^(?:fail|unreachable)$/.test(name);
