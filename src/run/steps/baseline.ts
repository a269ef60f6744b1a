import { attemptOf } from "../../engine/attempt.ts";
import { taskOf } from "../../engine/state.ts";
import { goalChecks } from "../../checks/asked.ts";
import { concludeBaseline } from "../../checks/baseline.ts";
import { expectTests } from "../../checks/witness/expect-tests.ts";
import { taskFile, type Run } from "../run.ts";

/** Runs the task's checks on its base: they must be red before any work, or they prove nothing. */
export async function takeBaseline(run: Run, id: string, signal: AbortSignal): Promise<void> {
  const task = taskOf(run.state, id);
  const { number: attempt, base } = attemptOf(task);
  const checks = goalChecks(run, run.state, taskFile(run, id));
  const key = { task: id, attempt };
  const { repo, rooms, documents } = run.ports;
  const found = await rooms.checkBase({
    key,
    base,
    checks,
    logDir: documents.attemptDir(key),
    signal,
    stillOwn: run.stillOwn,
  });
  // Work that adds the first tests turns a runner that ran none green; nothing can be missing yet.
  const evidence = found.map((one, at) => {
    return expectTests(one, { isGoal: checks[at]?.red === true, before: undefined, mayChange: () => true });
  });
  const toFix = task.regressions.map((regression) => regression.key);
  const conclusion = concludeBaseline(checks, evidence, toFix);
  run.append({ type: "baseline", ...key, ...conclusion, checks: evidence });
  if (conclusion.state !== "red") repo.removeWorkspace(key);
}
