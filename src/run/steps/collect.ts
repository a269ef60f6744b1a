import { afterSession } from "../../engine/session-end.ts";
import { attemptOf } from "../../engine/attempt.ts";
import { taskOf } from "../../engine/state.ts";
import { runLimits } from "../limits.ts";
import type { Collected } from "../ports.ts";
import type { Run } from "../run.ts";

/** Saves what the session left, whatever its outcome; a success becomes the candidate. A person keeps the workspace until it lands. */
export async function collectWork(run: Run, id: string, signal: AbortSignal): Promise<void> {
  const task = taskOf(run.state, id);
  const { byHand } = task;
  const attempt = attemptOf(task);
  const key = { task: id, attempt: attempt.number };
  const { repo } = run.ports;
  const collected = await repo.collect(key, { base: attempt.base, signal });
  const keptAt = collected.kind === "refused" ? repo.workspacePath(key) : null;
  if (collected.kind === "missing") {
    run.append({ type: "work-lost", ...key, path: repo.workspacePath(key) });
  } else if (afterSession(attempt).kind !== "verify") {
    const commit = collected.kind === "candidate" ? collected.commit : null;
    run.append({ type: "work-rescued", ...key, commit, ref: repo.rescueRef(key), keptAt });
  } else if (collected.kind === "candidate") {
    const { commit, paths, diff } = collected;
    const first = paths.slice(0, runLimits.pathsJournaledMax);
    run.append({ type: "candidate-made", ...key, commit, paths: first, pathCount: paths.length, diff });
  } else {
    run.append({ type: "verdict", ...key, ...failedWithoutCandidate(collected, keptAt), tip: run.state.tip });
  }
  if (keptAt === null && !byHand) repo.removeWorkspace(key);
}

function failedWithoutCandidate(collected: Extract<Collected, { kind: "empty" | "refused" }>, keptAt: string | null) {
  const failed = { result: "failed", placed: null, checks: [] } as const;
  if (collected.kind === "empty") {
    return { ...failed, reason: "no-change" as const, guards: [], why: "no file was changed" };
  }
  const problems = collected.problems.slice(0, runLimits.pathsJournaledMax);
  const guards = problems.map(({ path, why }) => ({ guard: "tree" as const, path, why }));
  const first = guards[0];
  const why = `${first?.path ?? ""}: ${first?.why ?? ""} (the workspace is kept at ${keptAt})`;
  return { ...failed, reason: "guard" as const, guards, why };
}
