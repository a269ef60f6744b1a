import { topologicalOrder } from "./graph.ts";
import type { Task } from "./types.ts";

/** How a plan is laid out in time, by its own estimates. */
export interface Shape {
  /** Ids of tasks that wait for the same number of others in a row; dependencies are in earlier waves. */
  readonly waves: readonly (readonly string[])[];
  /** Ids on the longest way through the plan, first to last. */
  readonly criticalPath: readonly string[];
  readonly criticalMs: number;
  readonly totalMs: number;
}

/** A task without an estimate counts as this long. */
export const assumedEstimateMs = 30 * 60_000;

type Shaped = Pick<Task, "id" | "depends" | "estimateMs">;

/** Tasks in or behind a cycle are left out: they can never start. */
export function shapeOf(tasks: readonly Shaped[]): Shape {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const waves: string[][] = [];
  const ways = new Map<string, Way>();
  let longest: Way | undefined;
  for (const id of topologicalOrder(tasks)) {
    const way = wayTo(byId.get(id)!, ways);
    ways.set(id, way);
    (waves[way.depth] ??= []).push(id);
    if (longest === undefined || way.ms > longest.ms) longest = way;
  }
  const totalMs = [...ways.keys()].reduce((sum, id) => sum + estimateOf(byId.get(id)!), 0);
  return { waves, criticalPath: idsOf(longest), criticalMs: longest?.ms ?? 0, totalMs };
}

export function estimateOf({ estimateMs }: Pick<Task, "estimateMs">): number {
  return estimateMs ?? assumedEstimateMs;
}

/** The longest way that ends in a task. */
interface Way {
  readonly id: string;
  readonly before: Way | undefined;
  readonly depth: number;
  readonly ms: number;
}

function wayTo(task: Shaped, ways: ReadonlyMap<string, Way>): Way {
  const before = task.depends.flatMap((id) => ways.get(id) ?? []);
  const last = before.reduce<Way | undefined>(
    (one, other) => (one === undefined || other.ms > one.ms ? other : one),
    undefined,
  );
  const depth = Math.max(-1, ...before.map((way) => way.depth)) + 1;
  return { id: task.id, before: last, depth, ms: (last?.ms ?? 0) + estimateOf(task) };
}

function idsOf(end: Way | undefined): string[] {
  const ids: string[] = [];
  for (let way = end; way !== undefined; way = way.before) ids.push(way.id);
  return ids.toReversed();
}
