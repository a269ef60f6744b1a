import { attemptOf } from "../../engine/attempt.ts";
import { taskOf } from "../../engine/state.ts";
import type { Run } from "../run.ts";
import { takeBackWorkspace, type Given } from "./give.ts";

/**
 * Moves the run's ref to the verified commit: intent, compare-and-swap, outcome.
 * After a crash the ref itself says how far it got; nothing is guessed, and nothing is adopted by its trailers.
 */
export async function integrateTask(run: Run, id: string, signal: AbortSignal): Promise<void> {
  const task = taskOf(run.state, id);
  const { phase, byHand } = task;
  const { number: attempt, verified, base, candidate } = attemptOf(task);
  if (verified === null) throw new Error(`Internal error: expected a verified commit of ${id}, but was null`);
  const { tip, commit: placed } = verified;
  if (phase === "passed") run.append({ type: "integrating", task: id, attempt, old: tip, new: placed });
  const swap = await run.ports.repo.swapTip(placed, tip);
  if (swap === "moved" || (await run.ports.repo.contains(swap.actual, placed))) {
    run.append({ type: "task-integrated", task: id, attempt, commit: placed });
    run.ports.rooms.landed(placed);
    const given: Given = { key: { task: id, attempt }, base, candidate: candidate?.commit ?? null };
    if (byHand) await takeBackWorkspace(run, given, signal);
    return;
  }
  const why = `the run's ref was moved to ${swap.actual} by another program; it should be at ${tip}`;
  run.append({ type: "parked", reason: "moved", why, until: null });
}
