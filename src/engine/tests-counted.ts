import type { TestsRun } from "./evidence.ts";

/** How many tests ran, by whom: "12 tests of vitest". */
export function counted(tests: readonly TestsRun[]): string {
  const [ran, skipped] = [ranOf(tests), tests.reduce((sum, one) => sum + one.skipped, 0)];
  const some = ran === 1 ? "1 test" : `${ran === 0 ? "no" : ran} tests`;
  return `${some} of ${runnersOf(tests)}${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}

/** Tests that ran to an end. */
export function ranOf(tests: readonly TestsRun[]): number {
  return tests.reduce((sum, one) => sum + one.run, 0);
}

/** Who ran them. */
export function runnersOf(tests: readonly TestsRun[]): string {
  return tests.map(({ runner }) => runner).join(" and ");
}
