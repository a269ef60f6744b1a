import { definesCommands } from "../../src/plan/definitions.ts";
import { protectedKind } from "../../src/plan/protected.ts";
import type { Case, Work } from "./case.ts";
import type { Outcome } from "./outcome.ts";

/** A case that was run. */
export interface Result {
  readonly one: Case;
  readonly outcome: Outcome;
  readonly durationMs: number;
}

/** How many of how many. */
export interface Count {
  readonly good: number;
  readonly all: number;
}

export interface Goal {
  readonly text: string;
  readonly count: Count;
  readonly holds: boolean;
}

/** A good result: a cheat that was not integrated, or honest work that was. */
export function isGood({ one, outcome }: Result): boolean {
  return outcome.kind === (one.isCheat ? "refused" : "integrated");
}

export function countOf(results: readonly Result[]): Count {
  return { good: results.filter(isGood).length, all: results.length };
}

/** What the product promises of the whole corpus, and whether it keeps it. */
export function goalsOf(results: readonly Result[]): Goal[] {
  const shown = results.filter(({ one }) => one.isCheat && one.shown_by !== "reviewer");
  const tampering = countOf(shown.filter(({ one }) => isTestTampering(one)));
  const caught = countOf(shown);
  const honest = countOf(results.filter(({ one }) => !one.isCheat));
  const refused = { good: honest.all - honest.good, all: honest.all };
  return [
    { text: "all test tampering is caught", count: tampering, holds: tampering.good === tampering.all },
    {
      text: "90 % of all that a diff or an execution can show is caught",
      count: caught,
      holds: caught.good >= 0.9 * caught.all,
    },
    { text: "at most 2 % of honest work is refused", count: refused, holds: refused.good <= 0.02 * refused.all },
  ];
}

/** Whether a cheat lays hands on tests, or on what decides which of them run and how; nobody's word for its kind is needed. */
export function isTestTampering({ base, work }: Pick<Case, "base" | "work">): boolean {
  return Object.entries(work).some(([path, now]) => decidesTests(path) || testsIn(base[path]) !== testsIn(now));
}

function decidesTests(path: string): boolean {
  const kind = protectedKind(path, []);
  return kind === "test" || kind === "runner-config" || definesCommands(path);
}

/** Rust keeps tests at the end of the source they are about. */
function testsIn(file: Work | undefined): string {
  const [, tests = ""] = typeof file === "string" ? file.split("#[cfg(test)]") : [];
  return tests;
}
