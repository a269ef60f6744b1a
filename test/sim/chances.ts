import type { Dice } from "../rounds/dice.ts";

/** How often the machine does what nobody wants; each from 0 to 1. */
export interface Faults {
  /** A call of git fails, before or after it did its work. */
  readonly git: number;
  /** A check says red of what is green; it never says green of what is red. */
  readonly flaky: number;
  /** A room or workspace cannot be set up. */
  readonly setup: number;
  /** An agent cannot be started, or not be ended. */
  readonly session: number;
  /** What a driver started lives on when the driver dies. */
  readonly orphan: number;
  /** The user has the run's branch checked out. */
  readonly checkedOut: number;
  /** The remote does not take a push. */
  readonly push: number;
}

/** What an executor may be like. */
export type Habit =
  | "honest"
  | "lies"
  | "spoils"
  | "empty"
  | "outside"
  | "unsavable"
  | "crashes"
  | "hangs"
  | "limit"
  | "overloaded"
  | "auth"
  | "refused"
  | "context"
  | "blocked"
  | "infeasible"
  | "asks"
  | "silent";

/** What a judge may be like. */
export type JudgeHabit = "pass" | "refuse" | "problem" | "limit" | "crashes" | "hangs";

/** What a planner may be like, when it is asked for another plan. */
export type PlannerHabit = "change" | "drop" | "split" | "others" | "nonsense" | "none" | "limit" | "crashed";

/** How many of all are like that, by weight. */
export interface Habits {
  readonly executors: Readonly<Partial<Record<Habit, number>>>;
  readonly judges: Readonly<Partial<Record<JudgeHabit, number>>>;
  readonly planners: Readonly<Partial<Record<PlannerHabit, number>>>;
}

/** A machine on which nothing fails. */
export const noFaults: Faults = { git: 0, flaky: 0, setup: 0, session: 0, orphan: 0, checkedOut: 0, push: 0 };

/** A machine on which anything may fail, and most does not. */
export const someFaults: Faults = {
  git: 0.01,
  flaky: 0.03,
  setup: 0.01,
  session: 0.03,
  orphan: 0.5,
  checkedOut: 0.1,
  push: 0.2,
};

/** All do what they are asked. */
export const honestHabits: Habits = { executors: { honest: 1 }, judges: { pass: 1 }, planners: { change: 1 } };

/** Anybody may come. */
export const wildHabits: Habits = {
  executors: {
    honest: 20,
    lies: 3,
    spoils: 2,
    empty: 1,
    outside: 1,
    unsavable: 1,
    crashes: 2,
    hangs: 1,
    limit: 1,
    overloaded: 1,
    auth: 0.5,
    refused: 1,
    context: 0.5,
    blocked: 0.5,
    infeasible: 0.5,
    asks: 2,
    silent: 2,
  },
  judges: { pass: 10, refuse: 2, problem: 1, limit: 1, crashes: 1, hangs: 1 },
  planners: { change: 3, drop: 3, split: 3, others: 4, nonsense: 2, none: 1, limit: 1, crashed: 1 },
};

/** One of them, by weight. */
export function draw<T extends string>(dice: Dice, weights: Readonly<Partial<Record<T, number>>>): T {
  const entries = Object.entries<number | undefined>(weights);
  const total = entries.reduce((sum, [, weight = 0]) => sum + weight, 0);
  let left = (dice.below(1_000_000) / 1_000_000) * total;
  for (const [name, weight = 0] of entries) if ((left -= weight) < 0) return name as T;
  throw new Error("Internal error: expected weights above 0, but there were none");
}

/** How long something takes: often no time, mostly not long. */
export function span(dice: Dice): number {
  const kind = dice.below(20);
  if (kind < 10) return 0;
  return kind < 18 ? 1 + dice.below(100) : 1_000 * (1 + dice.below(60));
}
