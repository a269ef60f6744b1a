import type { CheckEvidence, TestsRun } from "./evidence.ts";
import type { RunState } from "./state.ts";

/** What a check's test runners ran on a commit of the run. */
export interface TestsSeen {
  /** How many commits had landed by then; 0 is the run's base. */
  readonly at: number;
  readonly tests: readonly TestsRun[];
}

/** Keeps, for each check, what it ran on the newest commit of the run's branch: on a later one it may not run less. */
export function noteTests(state: RunState, commit: string, checks: Iterable<CheckEvidence>) {
  const at = positionOf(state, commit);
  for (const { key, state: shown, cause, tests = [] } of checks) {
    // A check that could not run has run no tests, and says nothing about them.
    if (key === undefined || shown === "broken" || cause !== undefined) continue;
    if (at >= (state.testsSeen.get(key)?.at ?? 0)) state.testsSeen.set(key, { at, tests });
  }
}

/** Counts the commits of the run that had landed with this one; those that have not landed yet come after all that have. */
export function positionOf({ landed, base }: Pick<RunState, "landed" | "base">, commit: string): number {
  if (commit === base) return 0;
  const at = landed.findLastIndex((one) => one.commit === commit);
  return at === -1 ? landed.length : at + 1;
}

/** Returns the commit at a position of the run's branch. */
export function commitAt({ landed, base }: Pick<RunState, "landed" | "base">, at: number): string {
  return landed[at - 1]?.commit ?? base;
}

/** Counts the tests that ran, and names the runners: "12 tests of vitest". */
export function counted(tests: readonly TestsRun[]): string {
  const [ran, skipped] = [ranOf(tests), tests.reduce((sum, one) => sum + one.skipped, 0)];
  const some = ran === 1 ? "1 test" : `${ran === 0 ? "no" : ran} tests`;
  return `${some} of ${runnersOf(tests)}${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}

/** Counts the tests that ran to an end. */
export function ranOf(tests: readonly TestsRun[]): number {
  return tests.reduce((sum, one) => sum + one.run, 0);
}

export function runnersOf(tests: readonly TestsRun[]): string {
  return tests.map(({ runner }) => runner).join(" and ");
}
