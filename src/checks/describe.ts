import type { CheckEvidence, GuardEvidence } from "../engine/evidence.ts";
import { inOneLine } from "../base/visible.ts";
import { checksLimits } from "./limits.ts";

/** Describes violations in one line for people; the verdict has each of them. */
export function describeGuards(guards: readonly GuardEvidence[]): string {
  const named = guards
    .slice(0, checksLimits.pathsNamedMax)
    .map(({ guard, path, why }) => `${guard}: ${path}${path && " "}${why}`);
  const more = guards.length - named.length;
  const parts = more > 0 ? [...named, `and ${more} more`] : named;
  return parts.map((part, at) => (at === parts.length - 1 ? part : part.replace(/\.$/, ""))).join("; ");
}

/** Describes the checks that are not green and count, in one line. */
export function describeReds(checks: readonly CheckEvidence[]): string {
  const reds = checks.filter((check) => check.state !== "green" && check.excused !== true);
  return reds
    .map(
      ({ state, label, why, of }) =>
        `${state}: ${inOneLine(label)} (${why})${of === undefined ? "" : `, a check of ${of}`}`,
    )
    .join("; ");
}

/** Joins names to one line: "a", "a and b", "a, b and 3 more". */
export function describeSome(names: readonly string[]): string {
  const shown = names.slice(0, checksLimits.pathsNamedMax);
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}
