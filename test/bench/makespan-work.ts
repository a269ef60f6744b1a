import { noOwnTime, TimedWorld, type OwnTime } from "../rig/timed-world.ts";
import { finalMs, floorMs, listScheduleMs } from "./floor.ts";
import { specsOf, timedPlan, type MakespanShape, type TimedTask } from "./makespan-plans.ts";

export { floorMs } from "./floor.ts";
export { laneCounts, makespanShapes, timedPlan } from "./makespan-plans.ts";

/** `work`: checks take no time. `checks`: the check of a task takes as long as its session. */
export type Kind = "work" | "checks";

export interface Wish {
  readonly kind: Kind;
  readonly shape: MakespanShape;
  readonly lanes: number;
}

/** What the steps of a task take on two quiet cores, rounded up; `npm run bench -- makespan` prints it for each run. */
export const assumedOwnTime: OwnTime = {
  baseline: 50,
  give: 25,
  collect: 35,
  place: 45,
  room: 120,
  integrate: 10,
};

const seeds = Array.from({ length: 20 }, (_, at) => at + 1);

/** Ratios to the floor: by the rules alone, with the time that Stint's steps take, and with earlier tasks' checks asked again. */
export function playSeeds({ kind, shape, lanes }: Wish) {
  const plans = seeds.map((seed) => timedPlan(shape, { seed, leastMs: 10_000 }));
  const ratios = (took: (tasks: TimedTask[]) => number) => {
    const all = plans.map(
      (tasks) => took(tasks) / floorMs(stepsOf(tasks, kind), { lanes, final: finalOf(tasks, kind) }),
    );
    return { mean: all.reduce((sum, one) => sum + one, 0) / all.length, worst: Math.max(...all) };
  };
  const again = { kind, lanes, own: assumedOwnTime, again: true };
  return {
    rules: ratios((tasks) => playPlan(tasks, { kind, lanes, own: noOwnTime })),
    own: ratios((tasks) => playPlan(tasks, { kind, lanes, own: assumedOwnTime })),
    again: ratios((tasks) => playPlan(tasks, again)),
    greedy: ratios((tasks) => listScheduleMs(stepsOf(tasks, kind), { lanes, final: finalOf(tasks, kind) })),
  };
}

export interface PlayOptions {
  readonly kind: Kind;
  readonly lanes: number;
  readonly own: OwnTime;
  /** Whether a verification also asks the checks of all tasks that this one builds on. */
  readonly again?: boolean;
}

/** Plays a plan by the shipped rules and returns how long the run takes in virtual time. */
export function playPlan(tasks: readonly TimedTask[], { kind, lanes, own, again = false }: PlayOptions): number {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const sessionMs = (id: string) => byId.get(id)?.ms ?? 0;
  const checkMs = (id: string) => (kind === "checks" ? sessionMs(id) : 0);
  const asked = (id: string): Set<string> =>
    new Set([id, ...(again ? (byId.get(id)?.depends ?? []).flatMap((need) => [...asked(need)]) : [])]);
  const checksMs = (id: string) => [...asked(id)].reduce((sum, one) => sum + checkMs(one), 0);
  const final = finalOf(tasks, kind);
  const world = new TimedWorld(
    specsOf(tasks),
    { parallel: lanes },
    {
      sessionMs,
      checksMs,
      finalMs: (rooms) => finalMs(final, rooms),
      own,
    },
  );
  return world.play();
}

export function stepsOf(tasks: readonly TimedTask[], kind: Kind) {
  return tasks.map(({ id, depends, ms }) => ({ id, depends, steps: kind === "checks" ? [ms, ms] : [ms] }));
}

/** All checks but that of the task that lands last, which was green on this very tree a moment before. */
function finalOf(tasks: readonly TimedTask[], kind: Kind): number[] {
  return kind === "checks" ? tasks.slice(0, -1).map(({ ms }) => ms) : [];
}
