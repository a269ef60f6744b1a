import type { CheckEvidence, GuardEvidence } from "../engine/evidence.ts";
import { counted } from "../engine/tests-seen.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import { cliLimits } from "./limits.ts";
import { visible } from "../base/visible.ts";
import { renderEvent } from "./render-event.ts";

/** An event as lines for people; under a verdict, what proves it. */
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

/** Lines of others, below an event that they explain. */
export function quoted(lines: readonly string[]): string[] {
  return lines.map((text) => visible(`            | ${text}`));
}

function checkLines(check: CheckEvidence): string[] {
  const { label, why, tail, tests, proof } = check;
  const stands = [why, tests === undefined ? (proof ?? "") : counted(tests)].filter(Boolean).join("; ");
  const head = visible(`          ${standing(check)}: ${label}${stands === "" ? "" : ` (${stands})`}`);
  if (check.state === "green" && check.flaky !== true) return [head];
  const lastLines = tail.trimEnd().split("\n").slice(-cliLimits.checkLinesShownMax);
  return tail.trim() === "" ? [head] : [head, ...quoted(lastLines)];
}

/** What is known of a check besides its colour: that it changed its mind, was not run again, is not this task's doing, or belongs to another. */
function standing({ state, flaky, cached, excused, of }: CheckEvidence): string {
  const seen = flaky === true ? `${state}, but flaky` : state;
  return [
    seen,
    ...(cached === true ? ["known from the same tree"] : []),
    ...(excused === true ? ["as it is without this work"] : []),
    ...(of === undefined ? [] : [`of ${of}`]),
  ].join(", ");
}
