/** A task as steps that follow one another; what depends on it waits for the last of them. */
export interface Steps {
  readonly id: string;
  readonly depends: readonly string[];
  /** Milliseconds of each step, of which each needs a lane. */
  readonly steps: readonly number[];
}

export interface Lanes {
  readonly lanes: number;
  /** Milliseconds of each check of the final verification. */
  readonly final: readonly number[];
}

/**
 * What no scheduler can beat: the longest chain of tasks, or all work shared evenly by the lanes, whichever is longer.
 * The final checks are about a commit that exists only when everything has landed, so their own floor comes on top.
 */
export function floorMs(tasks: readonly Steps[], { lanes, final }: Lanes): number {
  const longest = Math.max(...pathsFrom(tasks).values());
  const shared = sum(tasks.flatMap(({ steps }) => steps)) / lanes;
  return Math.max(longest, shared) + Math.max(0, ...final, sum(final) / lanes);
}

interface Job {
  readonly name: string;
  readonly needs: readonly string[];
  readonly ms: number;
  readonly rank: number;
}

/**
 * What a greedy scheduler that knows all durations reaches with no overhead and no train: a free lane takes the step with
 * the longest path behind it; a task's steps follow one another, its dependants wait for all of them, the final checks for everything.
 */
export function listScheduleMs(tasks: readonly Steps[], { lanes, final }: Lanes): number {
  const rank = pathsFrom(tasks);
  const jobs = tasks.flatMap(({ id, depends, steps }) =>
    steps.map((ms, at) => ({
      name: `${id}/${at}`,
      needs: at > 0 ? [`${id}/${at - 1}`] : depends.map((need) => `${need}/${steps.length - 1}`),
      ms,
      rank: (rank.get(id) ?? 0) - sum(steps.slice(0, at)),
    })),
  );
  return makespan(jobs, lanes) + finalMs(final, lanes);
}

/** How long final checks take in as many rooms as there are lanes, each of which takes the next check when it is free. */
export function finalMs(final: readonly number[], lanes: number): number {
  const inOrder = (ms: number, at: number) => ({ name: `final/${at}`, needs: [], ms, rank: -at });
  return makespan(final.map(inOrder), lanes);
}

function makespan(jobs: readonly Job[], lanes: number): number {
  const waiting = new Set(jobs);
  const ends = new Map<string, number>();
  const running: { readonly name: string; readonly end: number }[] = [];
  let now = 0;
  while (waiting.size > 0 || running.length > 0) {
    const isReady = ({ needs }: Job) => needs.every((need) => (ends.get(need) ?? Infinity) <= now);
    const ready = [...waiting].filter(isReady).toSorted((a, b) => b.rank - a.rank);
    for (const job of ready.slice(0, lanes - running.length)) {
      waiting.delete(job);
      running.push({ name: job.name, end: now + job.ms });
    }
    running.sort((a, b) => a.end - b.end);
    const next = running.shift();
    if (next === undefined) throw new Error("no step can ever start");
    now = next.end;
    ends.set(next.name, now);
  }
  return now;
}

/** The work on the longest chain that begins with each task; dependencies are before what needs them. */
function pathsFrom(tasks: readonly Steps[]): Map<string, number> {
  const found = new Map<string, number>();
  const after = new Map<string, number>();
  for (const { id, depends, steps } of tasks.toReversed()) {
    const total = sum(steps) + (after.get(id) ?? 0);
    found.set(id, total);
    for (const need of depends) after.set(need, Math.max(after.get(need) ?? 0, total));
  }
  return found;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
