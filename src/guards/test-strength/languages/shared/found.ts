import type { Node } from "../../../../syntax/parse.ts";
import {
  assertsByName,
  type Assertion,
  type Call,
  type Force,
  type Helper,
  type Mock,
  type Over,
  type TestCase,
  type TestFile,
} from "../../model.ts";

/** A suite around tests; what skips or focuses it may be found after them. */
export interface Suite {
  readonly around: Suite | null;
  readonly titles: string;
  /** The test that contains others, where a suite is one. */
  readonly test: Owner | null;
  /** Whether the runner looks for tests in it. */
  readonly collects: boolean;
  skipped: string | null;
  focused: string | null;
}

/** The owner of the code that is read: a test, a helper, or all that is neither. */
export interface Owner {
  readonly suite: Suite;
  readonly kind: "test" | "helper" | "hook";
  readonly name: string;
  readonly line: number;
  readonly end: number;
  cases: number | null;
  skipped: string | null;
  focused: string | null;
  muted: string | null;
  /** Tests are declared in it: without an assertion of its own, it is only their suite. */
  holdsTests: boolean;
  /** Why all of its assertions may be passed by; counts only where none is sure to be reached. */
  doubt: string | null;
  readonly assertions: Assertion[];
  /** Assertions by a name of a library; they are calls where the file itself declares that name. */
  readonly known: { readonly name: string; readonly assertion: Assertion }[];
  readonly calls: Call[];
  /** Names of what is handed on to be called by others. */
  readonly handed: Call[];
  /** Lines of assertions and calls that no condition keeps from being reached. */
  readonly sure: Set<number>;
}

/** Where the walk is; `unreached` and `doubtful` say why assertions do not count, or perhaps not. */
export interface Place {
  readonly owner: Owner;
  readonly suite: Suite;
  readonly times: number;
  /** How often a test that is declared here is declared; null where the text does not show it. */
  readonly cases: number | null;
  readonly unreached: string | null;
  readonly doubtful: string | null;
  /** What the condition around demands, where a language asserts by `if` and a call that fails. */
  readonly guard: Force | null;
  /** The parameter that a loop around goes over. */
  readonly over: Over | null;
}

/** A node that is still to be visited, and where it stands. */
export type Step = readonly [node: Node, place: Place];

/** A name that is replaced by a pretence, from a line on, up to a place in the text. */
export interface Replaced {
  readonly target: string;
  readonly line: number;
  readonly end: number;
  readonly owner: Owner;
  readonly suite: Suite;
}

/** All that a walk has found so far. */
export interface Found {
  readonly owners: Owner[];
  readonly mocks: Mock[];
  readonly imports: string[];
  /** Names that are replaced while the owner runs: what may be a mock of the very thing under test. */
  readonly replaced: Replaced[];
  /** Rows of literal lists by the name they were given; null where two differ. */
  readonly tables: Map<string, number | null>;
  /** Parameters of the function at hand, by name. */
  readonly parameters: Map<string, Over>;
  /** What a name stands for, as written, where that matters to a language. */
  readonly aliases: Map<string, string>;
}

/** Sums up what a walk found, now that all names of the file are known. */
export function toTestFile({ owners, mocks, imports }: Found): TestFile {
  const declared = new Set(owners.filter(({ kind }) => kind === "helper").map(({ name }) => name));
  const settled = owners.map((owner) => settle(owner, declared));
  const asserting = new Set(
    settled.filter(({ kind, assertions }) => kind === "helper" && assertions.length > 0).map(({ name }) => name),
  );
  const skipping = new Map(
    owners.flatMap(({ kind, name, skipped }) => (kind === "helper" && skipped !== null ? [[name, skipped]] : [])),
  );
  const tests = settled.filter((owner) => owner.kind === "test" && !isOnlySuite(owner, asserting));
  const helpers = settled.filter(
    ({ kind, assertions, calls }) => kind === "helper" || (kind === "hook" && assertions.length + calls.length > 0),
  );
  return {
    tests: tests.map((owner) => toTest(owner, { asserting, skipping })),
    helpers: helpers.map(toHelper),
    mocks,
    imports,
  };
}

function isOnlySuite({ holdsTests, assertions, calls }: Owner, asserting: ReadonlySet<string>): boolean {
  return holdsTests && assertions.length === 0 && !calls.some(({ name }) => asserting.has(name));
}

function settle(owner: Owner, declared: ReadonlySet<string>): Owner {
  const library = owner.known.filter(({ name }) => !declared.has(name));
  const own = owner.known.filter(({ name }) => declared.has(name));
  const assertions = [...owner.assertions, ...library.map(({ assertion }) => assertion)];
  const handed = owner.handed.filter(({ name }) => declared.has(name));
  const calls = [
    ...owner.calls,
    ...handed,
    ...own.map(({ name, assertion: { line, times } }) => ({ name, line, times })),
  ];
  return { ...owner, assertions: inOrder(assertions), calls: inOrder(calls) };
}

function inOrder<T extends { readonly line: number }>(found: readonly T[]): T[] {
  return found.toSorted((a, b) => a.line - b.line);
}

interface HelpersKnown {
  readonly asserting: ReadonlySet<string>;
  readonly skipping: ReadonlyMap<string, string>;
}

function toTest(owner: Owner, { asserting, skipping }: HelpersKnown): TestCase {
  const { name, line, end, assertions, calls, cases, sure } = owner;
  const surely =
    assertions.some(({ line }) => sure.has(line)) ||
    calls.some((call) => sure.has(call.line) && (asserting.has(call.name) || assertsByName.test(call.name)));
  const muted = owner.muted ?? (surely ? null : owner.doubt);
  const bySkipper = calls.map((call) => skipping.get(call.name)).find((how) => how !== undefined);
  const skipped = owner.skipped ?? ofSuites(owner.suite, "skipped") ?? bySkipper ?? null;
  const focused = owner.focused ?? ofSuites(owner.suite, "focused");
  return { name, line, end, cases, skipped, focused, muted, assertions, calls };
}

function toHelper({ name, line, end, assertions, calls }: Owner): Helper {
  return { name, line, end, assertions, calls };
}

function ofSuites(suite: Suite, mark: "skipped" | "focused"): string | null {
  for (let at: Suite | null = suite; at !== null; at = at.around) {
    const marked = at[mark] ?? at.test?.[mark] ?? null;
    if (marked !== null) return marked;
  }
  return null;
}
