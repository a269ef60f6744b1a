import { evolve } from "../engine/evolve.ts";
import type { RunState } from "../engine/state.ts";
import type { Entry, Wait } from "./model.ts";

/** The state that the journal leads to, and when nothing happened. */
export interface Replay {
  /** Undefined if the run has not started. */
  readonly state: RunState | undefined;
  readonly waits: readonly Wait[];
}

/** The state of a run, and the times in which nothing happened: journaled waits, or no process driving the run. */
export function replay(entries: readonly Entry[], times: readonly number[]): Replay {
  const waits: Wait[] = [];
  let state: RunState | undefined;
  let open: Omit<Wait, "to"> | undefined;
  for (const [index, entry] of entries.entries()) {
    const [at, before] = [times[index] ?? 0, times[index - 1] ?? 0];
    const isTakenUp = index > 0 && entries[index - 1]?.epoch !== entry.epoch;
    if (isTakenUp && open === undefined && state?.finished === null)
      waits.push({ kind: "undriven", why: whyUndriven(state), from: before, to: at });
    state = evolve(state, entry);
    const now = waitOf(state);
    if (open !== undefined && (now?.kind !== open.kind || entry.type === "parked")) {
      waits.push({ ...open, to: at });
      open = undefined;
    }
    if (now !== undefined) open ??= { ...now, from: at };
  }
  return { state, waits: open === undefined ? waits : [...waits, { ...open, to: null }] };
}

/** When a process died in the middle of something is unknown; its last event is the latest known time. */
function whyUndriven({ active }: RunState): string {
  return active.size === 0 ? "not running" : "the run's process died; not running";
}

function waitOf(state: RunState | undefined): Pick<Wait, "kind" | "why"> | undefined {
  if (state === undefined || state.finished !== null) return undefined;
  if (state.paused) return { kind: "paused", why: "paused by a person" };
  if (state.parked !== null) return { kind: state.parked.reason, why: state.parked.why };
  return state.stopped === null ? undefined : { kind: "stopped", why: state.stopped };
}
