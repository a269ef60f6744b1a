import { taskOf } from "../../engine/state.ts";
import { concludeBaseline } from "../../verify/baseline.ts";
import { isMechanical } from "../../verify/checks.ts";
import { taskFile, type Run } from "../run.ts";

/** Runs the task's checks on its base: they must be red before any work, or they prove nothing. */
export async function takeBaseline(run: Run, id: string, signal: AbortSignal): Promise<void> {
  const { attempt, base } = taskOf(run.state, id);
  const checks = taskFile(run, id).checks.filter(isMechanical);
  const logDir = run.ports.documents.attemptDir({ task: id, attempt });
  const evidence = await run.ports.rooms.check({ commit: base, checks, logDir, signal });
  run.append({ type: "baseline", task: id, attempt, ...concludeBaseline(checks, evidence), checks: evidence });
}
