import type { Run } from "../run.ts";

/** Offers the run's tip to the remote. */
export async function pushTip(run: Run, _signal: AbortSignal): Promise<void> {
  throw new Error(`Internal error: expected no push, but ${run.state.settings.push} is set`);
}
