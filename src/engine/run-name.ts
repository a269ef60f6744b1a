import type { RunState } from "./state.ts";

/** What names a run: its id, and its number among the runs of its plan, which runs older than numbers lack. */
export type NamedRun = Pick<RunState, "run" | "plan" | "number">;

/** What people call a run: `invoices#3` is the third run of plan invoices. */
export function runName({ run, plan, number }: NamedRun): string {
  return number === undefined ? run : `${plan}#${number}`;
}

/** What a person types to resume a run; without its name, another one may be meant. */
export function resumeCommand(run: NamedRun): string {
  return `stint resume ${runName(run)}`;
}

/** The number of the next run of a plan, given all its runs. None is used twice, also where a number can no longer be read. */
export function nextRunNumber(runs: readonly { readonly number?: number | undefined }[]): number {
  return 1 + Math.max(runs.length, ...runs.map(({ number = 0 }) => number));
}

/** Finds the runs, oldest first, that a person may mean by a name, an id, a plan (its newest run) or the beginning of an id. */
export function runsCalled<R extends NamedRun>(runs: readonly R[], asked: string): R[] {
  const exact = runs.find((run) => run.run === asked || runName(run) === asked);
  const meant = exact ?? runs.findLast(({ plan }) => plan === asked);
  return meant === undefined ? runs.filter(({ run }) => asked !== "" && run.startsWith(asked)) : [meant];
}

const runId = /^(\d{8}-\d{6})-([a-z0-9][a-z0-9-]{0,63})-[0-9a-z]{4}$/;

/** The plan that a run or planning session of this id belongs to; undefined for a name that is no such id. */
export function planOfRun(id: string): string | undefined {
  return runId.exec(id)?.[2];
}
