import { afterSession } from "../../engine/session-end.ts";
import { taskOf } from "../../engine/state.ts";
import type { Run } from "../run.ts";

/** Saves what the session left, whatever its outcome; a success becomes the candidate. */
export async function collectWork(run: Run, id: string): Promise<void> {
  const task = taskOf(run.state, id);
  const key = { task: id, attempt: task.attempt };
  const { repo } = run.ports;
  const collected = await repo.collect(key, task.base);
  const keptAt = collected.kind === "refused" ? repo.workspacePath(key) : null;
  if (afterSession(task).kind !== "verify") {
    const commit = collected.kind === "candidate" ? collected.commit : null;
    run.append({ type: "work-rescued", ...key, commit, ref: repo.rescueRef(key), keptAt });
  } else if (collected.kind === "candidate") {
    run.append({ type: "candidate-made", ...key, commit: collected.commit, paths: collected.paths });
  } else {
    run.append({ type: "verdict", ...key, ...failedWithoutCandidate(collected, keptAt), tip: run.state.tip });
  }
  if (keptAt === null) repo.removeWorkspace(key);
}

function failedWithoutCandidate(
  collected: Exclude<Awaited<ReturnType<Run["ports"]["repo"]["collect"]>>, { kind: "candidate" }>,
  keptAt: string | null,
) {
  const failed = { result: "failed", placed: null, checks: [] } as const;
  if (collected.kind !== "refused") {
    return { ...failed, reason: "no-change" as const, guards: [], why: "the session changed no file" };
  }
  const guards = collected.problems.map(({ path, why }) => ({ guard: "tree" as const, path, why }));
  const first = guards[0];
  const why = `${first?.path ?? ""}: ${first?.why ?? ""} (the workspace is kept at ${keptAt})`;
  return { ...failed, reason: "guard" as const, guards, why };
}
