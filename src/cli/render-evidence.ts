import type { CheckEvidence, GuardEvidence } from "../engine/evidence.ts";
import { counted } from "../engine/tests-seen.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import { cliLimits } from "./limits.ts";
import { visible } from "../base/visible.ts";
import { renderEvent } from "./render-event.ts";

/** An event as lines for people; below a verdict, its evidence. */
export function renderWithEvidence(entry: RunEntry): string[] {
  const line = renderEvent(entry);
  if (entry.type === "verdict") return [line, ...entry.guards.flatMap(guardLines), ...entry.checks.flatMap(checkLines)];
  const shown = (entry.type === "baseline" && entry.state === "broken") || entry.type === "final-verified";
  return shown ? [line, ...entry.checks.flatMap(checkLines)] : [line];
}

function guardLines({ guard, path, why, evidence = "" }: GuardEvidence): string[] {
  const head = visible(`          ${guard}: ${path} ${why}`);
  return evidence === "" ? [head] : [head, ...quoted(evidence.split("\n"))];
}

/** Quotes foreign lines below the event they explain. */
export function quoted(lines: readonly string[]): string[] {
  return lines.map((text) => visible(`            | ${text}`));
}

function checkLines(check: CheckEvidence): string[] {
  const { label, why, tail, tests, proof } = check;
  const details = [why, tests === undefined ? (proof ?? "") : counted(tests)].filter(Boolean).join("; ");
  const head = visible(`          ${stateText(check)}: ${label}${details === "" ? "" : ` (${details})`}`);
  if (check.state === "green" && check.flaky !== true) return [head];
  const lastLines = tail.trimEnd().split("\n").slice(-cliLimits.checkLinesShownMax);
  return tail.trim() === "" ? [head] : [head, ...quoted(lastLines)];
}

/** The state of a check, and whether it was flaky, not run again, failing without this work, or belongs to another task. */
function stateText({ state, flaky, cached, excused, of }: CheckEvidence): string {
  const seen = flaky === true ? `${state}, but flaky` : state;
  return [
    seen,
    ...(cached === true ? ["reused: same tree"] : []),
    ...(excused === true ? ["also without this work"] : []),
    ...(of === undefined ? [] : [`a check of ${of}`]),
  ].join(", ");
}
