import type { Move } from "./moves.ts";
export { content, leavesPlan as drafts } from "./planning.ts";
import { createRig, type Rig, type RigOptions } from "./rig.ts";

/** A rig whose planner is the scripted agent: it revises plans as the settings say. */
export async function createReplanRig(
  options: RigOptions & { readonly run?: Readonly<Record<string, unknown>> },
): Promise<Rig> {
  const { run, config, ...rest } = options;
  const roles = { planner: { agent: "scripted" } };
  return await createRig({ ...rest, config: { ...config, roles, run: { replan: "auto", attempts: 1, ...run } } });
}

/** What an agent says that cannot do its task. */
export const infeasible: Move = { report: { status: "infeasible", reason: "There is no such thing." } };

/** `plan.md` on a commit of the run's branch. */
export function planAt(rig: Rig, commit: string): string {
  return rig.git("show", `${commit}:plans/work/plan.md`);
}
