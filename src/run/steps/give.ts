import { attemptOf } from "../../engine/attempt.ts";
import { taskOf } from "../../engine/state.ts";
import type { AttemptKey } from "../../engine/session.ts";
import type { Run } from "../run.ts";

/** Makes the workspace of a task that a person does by hand. */
export async function giveWorkspace(run: Run, id: string, signal: AbortSignal): Promise<void> {
  const { number: attempt, base } = attemptOf(taskOf(run.state, id));
  const key = { task: id, attempt };
  await run.ports.repo.giveWorkspace(key, { base, signal, stillOwn: run.stillOwn, whole: true });
  run.append({ type: "workspace-given", ...key, path: run.ports.repo.workspacePath(key) });
}

/** A person's workspace whose work has landed. */
export interface Given {
  readonly key: AttemptKey;
  readonly base: string;
  readonly candidate: string | null;
}

/** Removes the workspace, unless it has changes since it was submitted: then those are saved and the workspace stays. */
export async function takeBackWorkspace(
  { ports: { repo } }: Run,
  { key, base, candidate }: Given,
  signal: AbortSignal,
): Promise<void> {
  try {
    const now = await repo.collect(key, { base, signal });
    if (now.kind !== "candidate" || candidate === null) return;
    if ((await repo.changes(candidate, now.commit)).length === 0) repo.removeWorkspace(key);
  } catch {
    // The work has landed; a folder that cannot be looked at is left to its owner and to `stint gc`.
    return;
  }
}
