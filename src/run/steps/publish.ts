import type { Run } from "../run.ts";

/** Moves the user's branch to the run's tip, or journals why that has to wait. The run continues either way. */
export async function publishTip(run: Run): Promise<void> {
  const { tip: commit, branch } = run.state;
  const { deferred } = await run.ports.repo.publish(commit);
  if (deferred === null) run.append({ type: "published", commit, branch });
  else run.append({ type: "publish-deferred", commit, branch, why: deferred });
}
