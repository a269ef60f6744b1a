import type { CheckEvidence, GuardEvidence } from "../engine/evidence.ts";
import { counted } from "../engine/tests-seen.ts";
import { planLimits } from "../plan/limits.ts";
import { reportLimits } from "./limits.ts";
import { readableLines } from "../base/readable.ts";
import { inOneLine, shortened } from "../base/visible.ts";
import type { ReportCheck } from "./model.ts";

/** Says what checks show after the work, each with what it showed before. */
export function proofOf(checks: readonly CheckEvidence[], before: readonly CheckEvidence[] = []): ReportCheck[] {
  const earlier = new Map(before.map((check) => [check.key ?? check.label, check]));
  return checks.map((check) => ({ label: check.label, words: wordsOf(check, earlier.get(check.key ?? check.label)) }));
}

/** Writes, for example, "red before (exit 1) → green after; 12 tests of vitest". */
function wordsOf(check: CheckEvidence, before: CheckEvidence | undefined): string {
  const { state, why, tests, proof, flaky, cached, excused, of } = check;
  const was =
    before === undefined ? "" : `${before.state} before${before.state === "green" ? "" : ` (${before.why})`} → `;
  const cause = state === "green" || why === "" ? "" : ` (${why})`;
  return [
    `${was}${state}${was === "" ? "" : " after"}${cause}`,
    ...(tests === undefined ? (proof === undefined ? [] : [proof]) : [counted(tests)]),
    ...(flaky === true ? ["flaky: red and green on the same tree"] : []),
    ...(cached === true ? ["reused: same tree"] : []),
    ...(excused === true ? ["also failing without this work"] : []),
    ...(of === undefined ? [] : [`a check of ${of}`]),
  ].join("; ");
}

/** Says in lines why an attempt failed: what guards found, and the end of what red checks printed. */
export function evidenceLines(found: {
  readonly guards: readonly GuardEvidence[];
  readonly checks: readonly CheckEvidence[];
}): string[] {
  const checks = found.checks.filter(({ state, excused }) => state !== "green" && excused !== true);
  const lines = [...found.guards.flatMap(guardLines), ...checks.flatMap(checkLines)];
  const shown = lines
    .slice(0, reportLimits.reportEvidenceLinesMax)
    .map((line) => shortened(line, planLimits.evidenceLineCharsMax));
  return lines.length > shown.length ? [...shown, `… and ${lines.length - shown.length} more lines`] : shown;
}

function guardLines({ guard, path, why, evidence = "" }: GuardEvidence): string[] {
  return [`${guard}: ${path} ${why}`, ...quoted(linesOf(evidence))];
}

function checkLines({ state, label, why, tail, log, failing = [] }: CheckEvidence): string[] {
  const head = `${state}: ${inOneLine(label)}${why === "" ? "" : ` (${why})`}`;
  const tests = failing.slice(0, reportLimits.reportTailLinesMax).map((test) => `failing test: ${test}`);
  const printed = quoted(readableLines(tail).slice(-reportLimits.reportTailLinesMax));
  return [head, ...tests, ...printed, ...(log === undefined || printed.length === 0 ? [] : [`log: ${log}`])];
}

/** A guard's evidence is source, of which nothing may be left out. */
function linesOf(text: string): string[] {
  return text.trim() === "" ? [] : text.trimEnd().split("\n");
}

function quoted(lines: readonly string[]): string[] {
  return lines.map((line) => `| ${line}`);
}
