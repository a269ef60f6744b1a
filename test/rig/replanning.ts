import type { Move, Moves } from "./moves.ts";
import { plan, type PlanSpec } from "./plan.ts";
import { createRig, type Rig, type RigOptions } from "./rig.ts";

/** A rig whose planner is the scripted agent: it revises plans as the settings say. */
export async function createReplanRig(
  options: RigOptions & { readonly run?: Readonly<Record<string, unknown>> },
): Promise<Rig> {
  const { run, config, ...rest } = options;
  const roles = { planner: { agent: "scripted" } };
  return await createRig({ ...rest, config: { ...config, roles, run: { replan: "auto", attempts: 1, ...run } } });
}

/** Leaves a whole plan as a planner does. */
export function drafts(spec: PlanSpec): Move[] {
  const prefix = `plans/${spec.name ?? "work"}/`;
  return Object.entries(plan(spec)).map(([path, text]) => ({ leave: path.slice(prefix.length), text }));
}

/** A critic that has nothing against it. */
export const content: Moves = { critique: [{ leave: "findings.json", text: "[]" }] };

/** What an agent says that cannot do its task. */
export const infeasible: Move = { report: { status: "infeasible", reason: "There is no such thing." } };

/** `plan.md` on a commit of the run's branch. */
export function planAt(rig: Rig, commit: string): string {
  return rig.git("show", `${commit}:plans/work/plan.md`);
}
