import { enter } from "./enter.ts";
import type { RunSettings, TaskSpec } from "./events.ts";
import { nextTasks } from "./schedule.ts";
import { stateAtStart } from "./start.ts";
import { assumedEstimateMs } from "../plan/shape.ts";

/**
 * Computes how long the scheduler would keep the lanes busy if every task took its estimate and passed at once.
 * Tasks in a cycle, and those that depend on them, never start and do not count.
 */
export function makespanMs(tasks: readonly TaskSpec[], lanes: number): number {
  const state = stateAtStart({ ...nowhere, type: "run-started", settings: { ...uncapped, parallel: lanes }, tasks });
  const running: { readonly id: string; readonly endMs: number }[] = [];
  let nowMs = 0;
  for (;;) {
    for (const { spec } of nextTasks(state)) {
      enter(state, spec.id, "working");
      running.push({ id: spec.id, endMs: nowMs + (spec.estimateMs ?? assumedEstimateMs) });
    }
    if (running.length === 0) return nowMs;
    nowMs = Math.min(...running.map(({ endMs }) => endMs));
    for (const ended of running.filter(({ endMs }) => endMs === nowMs)) {
      running.splice(running.indexOf(ended), 1);
      enter(state, ended.id, "integrated");
    }
  }
}

const nowhere = { run: "", plan: "", title: "", planHash: "", base: "", branch: "" };

const uncapped: Omit<RunSettings, "parallel"> = {
  attempts: 1,
  escalateAfter: 1,
  budgetUsd: null,
  budgetTokens: null,
  taskUsd: null,
  askedUsd: null,
  askedParallel: null,
  reverify: "affected",
  scopeRequests: "ask",
  push: "never",
  replan: "never",
  replanMax: 0,
  only: null,
};
