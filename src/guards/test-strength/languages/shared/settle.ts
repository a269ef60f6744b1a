import type { Helper, TestCase, TestFile } from "../../model.ts";
import { assertsByName, type Found, type Owner, type Suite } from "./found.ts";

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
