import type { CheckEvidence, TestsRun } from "../../engine/evidence.ts";
import { counted, ranOf, runnersOf } from "../../engine/tests-seen.ts";
import { checksLimits } from "../limits.ts";
import type { ChangeStatus } from "../../plan/protected.ts";
import { plural } from "../../base/plural.ts";
import { everywhere, type Heard } from "./report.ts";

/** Adds what test runners were heard to run to what a command showed: a runner that broke off has proven nothing. */
export function withHeard(found: CheckEvidence, heard: Heard, watched: readonly string[] = []): CheckEvidence {
  const { tests, unended, failed } = heard;
  const shown = { ...found, ...named(heard, watched) };
  if (tests.length === 0) return shown.state === "green" ? { ...shown, proof: "exit code only" } : shown;
  const red = (why: string): CheckEvidence => ({ ...shown, state: "red", why: `exit 0, but ${why}`, tests });
  if (shown.state !== "green") return { ...shown, tests };
  if (failed > 0 && !mayFail.test(shown.label)) return red(`${failed === 1 ? "a test" : `${failed} tests`} failed`);
  if (unended.length === 0) return { ...shown, tests };
  return red(`${unended.join(" and ")} started and did not finish: ${counted(tests)}`);
}

function named({ names }: Heard, watched: readonly string[]): Pick<CheckEvidence, "failing" | "unfailing"> {
  const failing = names.failing.slice(0, checksLimits.failingTestsMax);
  const others = new Set(watched.length === 0 ? [] : names.others);
  const unfailing = watched.filter((title) => others.has(title));
  return { ...(failing.length > 0 && { failing }), ...(unfailing.length > 0 && { unfailing }) };
}

/** Who writes `! npm test` or `npm test || true` into a check means it. */
const mayFail = /!|\|\|/;

/** What is asked of a check's tests besides that they pass. */
export interface Expectation {
  /** Whether the check is there to show that a task is done: then a runner that runs nothing shows nothing. */
  readonly isGoal: boolean;
  /** What ran before the work; undefined where that is unknown. */
  readonly before: readonly TestsRun[] | undefined;
  /** Whether a task names this file or one in this folder, so that its tests may be new, changed or gone. */
  readonly mayChange: (group: string, how: ChangeStatus) => boolean;
}

/** Makes a check red that exits with 0 and did not run the tests it should have run. */
export function expectTests(found: CheckEvidence, expectation: Expectation): CheckEvidence {
  if (found.state !== "green") return found;
  const why = whyTooFew(found.tests ?? [], expectation);
  return why === undefined ? found : { ...found, state: "red", why: `exit 0, but ${why}` };
}

function whyTooFew(tests: readonly TestsRun[], expectation: Expectation): string | undefined {
  const { isGoal, before = [] } = expectation;
  if (isGoal && tests.length > 0 && ranOf(tests) === 0) {
    const skipped = tests.reduce((sum, one) => sum + one.skipped, 0);
    return `${runnersOf(tests)} ran no test${skipped === 0 ? "" : ` and skipped ${skipped}`}`;
  }
  const lost = missing(tests, before, expectation);
  if (lost.length === 0)
    return tests.length === 0 && fellSilent(before, expectation)
      ? `no test runner reported, although ${counted(before)} ran before`
      : undefined;
  const more = lost.length - checksLimits.pathsNamedMax;
  return lost.slice(0, checksLimits.pathsNamedMax).join("; ") + (more > 0 ? `; and ${more} more` : "");
}

/** Even where every file may change, something in the place of the runner is no runner; only where all tests go, none is left. */
function fellSilent(before: readonly TestsRun[], { mayChange }: Expectation): boolean {
  const ran = [...byGroup(before)].filter(([, count]) => count > 0);
  return ran.length > 0 && !ran.every(([group]) => mayChange(group, "D"));
}

/** Lists what ran before and no longer runs, file by file, whichever runner ran it. */
function missing(
  tests: readonly TestsRun[],
  before: readonly TestsRun[],
  { before: known, mayChange }: Expectation,
): string[] {
  const [now, then] = [byGroup(tests), byGroup(before)];
  if (now.has(everywhere) || then.has(everywhere)) return fewer("all files together", ranOf(tests), ranOf(before));
  const lost = [...then].filter(([group]) => !mayChange(group, "M"));
  const silent = [...now].filter(([group, ran]) => ran === 0 && !then.has(group) && !mayChange(group, "A"));
  return [
    ...lost.flatMap(([group, ran]) => fewer(group, now.get(group) ?? 0, ran)),
    // A file that could not be loaded before and now is, without a test in it, was ended before its first.
    ...(known === undefined ? [] : silent.map(([group]) => `${group}: no test ran in it`)),
  ];
}

function fewer(group: string, now: number, then: number): string[] {
  const lost = then - now;
  if (lost <= 0) return [];
  return [`${group}: ${plural(lost, "test")} that ran before did not run`];
}

function byGroup(tests: readonly TestsRun[]): Map<string, number> {
  const groups = new Map<string, number>();
  for (const [group, ran] of tests.flatMap((one) => Object.entries(one.groups)))
    groups.set(group, (groups.get(group) ?? 0) + ran);
  return groups;
}
