import { finalChecks } from "../../verify/checks.ts";
import type { Run } from "../run.ts";

/** Runs every check of the plan, the rules and the tasks on the final tip. */
export async function verifyFinalTip(run: Run, signal: AbortSignal): Promise<void> {
  const { tip } = run.state;
  const logDir = run.ports.documents.attemptDir({ task: "final", attempt: 0 });
  const checks = await run.ports.rooms.check({ commit: tip, checks: finalChecks(run.plan, run.rules), logDir, signal });
  run.append({ type: "final-verified", tip, ok: checks.every((check) => check.state === "green"), checks });
}
