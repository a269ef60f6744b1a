import { taskOf } from "../../engine/state.ts";
import type { Run } from "../run.ts";

/** Makes the workspace of a task that a person does by hand. */
export async function giveWorkspace(run: Run, id: string, signal: AbortSignal): Promise<void> {
  const { attempt, base } = taskOf(run.state, id);
  const key = { task: id, attempt };
  await run.ports.repo.giveWorkspace(key, { base, signal });
  run.append({ type: "workspace-given", ...key, path: run.ports.repo.workspacePath(key) });
}
