import type { Entry, Wait } from "./model.ts";
import { evolve } from "../engine/evolve.ts";
import type { RunState } from "../engine/state.ts";

/** A part of a run's time, in milliseconds since it began. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** Computes when each entry happened, since the first one. A clock that was set back makes no time negative. */
export function timesOf(entries: readonly Entry[]): number[] {
  let [begin, latest] = [Number.NaN, 0];
  return entries.map(({ at }) => {
    const time = Date.parse(at);
    if (Number.isNaN(begin)) begin = time;
    if (time - begin > latest) latest = time - begin;
    return latest;
  });
}

/** Returns the pieces of a part outside all the others, which are in order. */
export function without<P extends Part>(part: P, others: readonly Part[]): P[] {
  const left: P[] = [];
  let { from } = part;
  for (const other of others) {
    if (other.to <= from || other.from >= part.to) continue;
    if (other.from > from) left.push({ ...part, from, to: other.from });
    from = Math.max(from, other.to);
  }
  return from < part.to || left.length === 0 ? [...left, { ...part, from: Math.min(from, part.to) }] : left;
}

/** Adds up the lengths of all parts. */
export function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Counts how many parts overlap: on average while there is any, and at most. */
export function overlapOf(parts: readonly Part[]): { readonly average: number; readonly most: number } {
  const turns = parts
    .filter(({ from, to }) => to > from)
    .flatMap(({ from, to }) => [[from, 1] as const, [to, -1] as const]);
  let [now, most, since, busy] = [0, 0, 0, 0];
  for (const [at, step] of turns.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    if (now > 0) busy += at - since;
    [now, since] = [now + step, at];
    most = Math.max(most, now);
  }
  return { average: busy === 0 ? 0 : lengthOf(parts) / busy, most };
}

interface Replay {
  /** Undefined if the run has not started. */
  readonly state: RunState | undefined;
  readonly waits: readonly Wait[];
}

/** Folds a journal, and finds the times in which nothing happened: journaled waits, or no process driving the run. */
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

/** Says of an undriven run that its process ended as it should: after its last step, and not in the middle of one. */
export const notRunning = "not running";

/** When a process died in the middle of something is unknown; its last event is the latest known time. */
function whyUndriven({ active }: RunState): string {
  return active.size === 0 ? notRunning : `the run's process died; ${notRunning}`;
}

function waitOf(state: RunState | undefined): Pick<Wait, "kind" | "why"> | undefined {
  if (state === undefined || state.finished !== null) return undefined;
  if (state.paused && state.finishing.size === 0) return { kind: "paused", why: "paused by a person" };
  if (state.parked !== null) return { kind: state.parked.reason, why: state.parked.why };
  return state.stopped === null ? undefined : { kind: "stopped", why: state.stopped };
}
