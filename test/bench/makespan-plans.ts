import type { TaskSpec } from "../../src/engine/events.ts";
import { spec } from "../rig/world.ts";

/** A task whose session takes so long, and in a run with long checks its check, too. */
export interface TimedTask {
  readonly id: string;
  readonly depends: readonly string[];
  readonly ms: number;
}

export const laneCounts = [1, 2, 4, 8] as const;

/** What is measured: 40 tasks whose sessions take from `leastMs` to one and a half times as much. */
export interface PlanWish {
  readonly seed: number;
  readonly leastMs: number;
  readonly count?: number;
}

type Random = () => number;

/** The places of the tasks that each waits for. */
const waitsFor = {
  /** All can begin at once. */
  wide: () => [],
  /** Ten to a layer; each waits for the same three of the layer before. */
  layered: (at: number) => (at < 10 ? [] : [0, 3, 7].map((other) => layerBefore(at) + other)),
  /** Ten to a layer; each waits for any three of the layer before, so that nearly all of it holds up the next one. */
  crossed: (at: number, random: Random) =>
    at < 10 ? [] : [1, 2, 3].map(() => layerBefore(at) + Math.floor(random() * 10)),
  /** Each waits for the one before. */
  chain: (at: number) => (at === 0 ? [] : [at - 1]),
  /** Up to three, not long before: wider than eight lanes, yet with long chains. */
  mixed: (at: number, random: Random) => {
    const many = at < 8 ? 0 : Math.floor(random() * 3.2);
    return Array.from({ length: many }, () => Math.max(0, at - 4 - Math.floor(random() * 16)));
  },
} as const satisfies Record<string, (at: number, random: Random) => number[]>;

export type MakespanShape = keyof typeof waitsFor;

export const makespanShapes = Object.keys(waitsFor) as MakespanShape[];

export function timedPlan(shape: MakespanShape, { seed, leastMs, count = 40 }: PlanWish): TimedTask[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, at) => {
    const depends = [...new Set(waitsFor[shape](at, random))].toSorted((a, b) => a - b).map(idOf);
    return { id: idOf(at), depends, ms: Math.round(leastMs * (1 + random() / 2)) };
  });
}

/** The same tasks as the engine knows them, with estimates by a planner that judges well: a minute for each second. */
export function specsOf(tasks: readonly TimedTask[]): TaskSpec[] {
  return tasks.map(({ id, depends, ms }) => {
    const files = { create: [`out/${id}.txt`], modify: [], delete: [], touch: [] };
    return { ...spec(id, depends, files), estimateMs: ms * 60 };
  });
}

export function seeded(seed: number): Random {
  let at = seed | 0;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function layerBefore(at: number): number {
  return Math.floor(at / 10) * 10 - 10;
}

function idOf(at: number): string {
  return `t${String(at).padStart(2, "0")}`;
}
