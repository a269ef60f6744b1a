import { runLimits } from "../limits.ts";
import type { Run } from "../run.ts";

/**
 * Offers what is published to the remote, again after a while if the network may be to blame; the run continues meanwhile,
 * and after it. All the tries are reported once.
 */
export async function pushTip(run: Run, signal: AbortSignal): Promise<void> {
  const { clock, repo } = run.ports;
  const [{ branch }, { remote }] = [run.state, run.rules];
  for (let tries = 1; ; tries += 1) {
    // The commit is looked up each time: what has landed while we waited contains what was to be pushed first.
    const commit = run.state.publication?.commit ?? run.state.tip;
    const { refused, lasting } = await repo.push(commit, { remote, signal });
    if (refused === null) return run.append({ type: "pushed", commit, remote, branch });
    const waitMs = lasting ? undefined : runLimits.pushBackoffMs[tries - 1];
    if (waitMs === undefined) return run.append({ type: "push-failed", commit, remote, branch, why: refused, tries });
    await clock.waitUntil(new Date(Date.parse(clock.now()) + waitMs).toISOString(), signal);
    signal.throwIfAborted();
  }
}
