import type { TaskSpec } from "../../src/engine/events.ts";
import { spec } from "../rig/world.ts";

/** Plans by which the engine is measured, of any number of tasks. */
export const planShapes = {
  /** All can begin at once, and none meets another. */
  wide: (count: number) => tasks(count, () => []),
  /** Each waits for the one before. */
  chain: (count: number) => tasks(count, (at) => (at === 0 ? [] : [at - 1])),
  /** Ten to a layer; each waits for three of the layer before. */
  layers: (count: number) => tasks(count, (at) => (at < 10 ? [] : [0, 3, 7].map((other) => layerBefore(at) + other))),
  /** All can begin at once, but all change one file, each beside one of its own. */
  "one shared file": (count: number) => tasks(count, () => [], { paths: ["src/shared.ts"], folders: [] }),
  /** All can begin at once, but none says what it touches. */
  "any file": (count: number) => tasks(count, () => [], { paths: [], folders: [""] }),
  /** A hundred folders, of which each task claims one whole. */
  "a hundred folders": (count: number) =>
    tasks(count, () => []).map((task, at) => ({ ...task, claims: { paths: [], folders: [`part-${at % 100}/`] } })),
} as const;

export type PlanShape = keyof typeof planShapes;

function tasks(
  count: number,
  dependsOn: (at: number) => readonly number[],
  shared: TaskSpec["claims"] = { paths: [], folders: [] },
): TaskSpec[] {
  return Array.from({ length: count }, (_, at) => ({
    ...spec(idOf(at), dependsOn(at).map(idOf)),
    claims: { ...shared, paths: [...shared.paths, `src/own/${idOf(at)}.ts`] },
  }));
}

function layerBefore(at: number): number {
  return (Math.floor(at / 10) - 1) * 10;
}

function idOf(at: number): string {
  return `t${String(at).padStart(5, "0")}`;
}
