import type { CheckEvidence, GuardEvidence } from "../engine/events.ts";
import { limits } from "../limits.ts";

/** Violations in one line for people; the verdict holds each. */
export function describeGuards(guards: readonly GuardEvidence[]): string {
  const named = guards
    .slice(0, limits.pathsNamedMax)
    .map(({ guard, path, why }) => `${guard}: ${path}${path && " "}${why}`);
  const more = guards.length - named.length;
  return named.join("; ") + (more > 0 ? `; and ${more} more` : "");
}

/** The checks that are not green, in one line. */
export function describeReds(checks: readonly CheckEvidence[]): string {
  const reds = checks.filter((check) => check.state !== "green");
  return reds.map(({ state, label, why }) => `${state}: ${label} (${why})`).join("; ");
}
