import { cliLimits } from "./limits.ts";
import { showDuration } from "../base/duration.ts";
import { assumedEstimateMs, shapeOf, type Shape } from "../plan/shape.ts";
import type { Plan, Problem } from "../plan/types.ts";
import { plural } from "../base/plural.ts";

/** Describes a plan in one line: waves, critical path, time, and the problems that lint found. */
export function renderShape(plan: Plan | undefined, problems: readonly Problem[]): string | undefined {
  const parts = [...(plan === undefined ? [] : shapeParts(plan.tasks)), ...problemParts(problems)];
  return parts.length === 0 ? undefined : parts.join("; ");
}

function shapeParts(tasks: Plan["tasks"]): string[] {
  const shape = shapeOf(tasks);
  const ids = new Set(shape.waves.flat());
  const placed = tasks.filter(({ id }) => ids.has(id));
  const stuck = tasks.length - placed.length;
  return [
    ...(stuck === 0 ? [] : [`${plural(stuck, "task")} in or after a cycle`]),
    ...(placed.length === 0 ? [] : [`${plural(placed.length, "task")} in ${plural(shape.waves.length, "wave")}`]),
    ...(placed.length === 0 ? [] : [pathPart(shape, placed)]),
  ];
}

function pathPart({ criticalPath, criticalMs, totalMs }: Shape, placed: Plan["tasks"]): string {
  const guessed = placed.filter(({ estimateMs }) => estimateMs === undefined).length;
  const guess = guessed === 0 ? "" : ` (${guessed} without an estimate, counted as ${showDuration(assumedEstimateMs)})`;
  const time =
    criticalMs === totalMs ? showDuration(totalMs) : `${showDuration(criticalMs)} of ${showDuration(totalMs)}`;
  return `critical path ${pathOf(criticalPath)}, ${time} in all${guess}`;
}

function pathOf(ids: readonly string[]): string {
  const shownMax = cliLimits.criticalPathShownMax;
  if (ids.length <= shownMax) return ids.join(" > ");
  const first = ids.slice(0, shownMax - 2);
  return [...first, `… ${ids.length - first.length - 1} more …`, ids.at(-1)].join(" > ");
}

function problemParts(problems: readonly Problem[]): string[] {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  return [...(errors === 0 ? [] : [plural(errors, "error")]), ...(warnings === 0 ? [] : [plural(warnings, "warning")])];
}
