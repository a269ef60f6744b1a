import type { Action } from "../../src/engine/action.ts";
import { decide } from "../../src/engine/decide.ts";
import type { RunEvent, RunSettings, TaskSpec } from "../../src/engine/events.ts";
import { evolve, fold } from "../../src/engine/evolve.ts";
import type { Outcome } from "../../src/engine/session.ts";
import { taskOf, type RunState } from "../../src/engine/state.ts";
import { unreachable } from "../../src/base/result.ts";
import { claimsOf } from "../../src/plan/claims.ts";
import type { TaskFiles } from "../../src/plan/types.ts";

/** No cap of any kind. */
export const noCaps = { budgetUsd: null, budgetTokens: null, taskUsd: null, askedUsd: null, askedParallel: null };
const ways = { reverify: "affected", scopeRequests: "ask", push: "never", only: null } as const;
const noReplan = { replan: "never", replanMax: 0 } as const;
export const settings: RunSettings = { parallel: 1, attempts: 3, escalateAfter: 2, ...noCaps, ...ways, ...noReplan };
const anyFile = { create: [], modify: [], delete: [], touch: ["**"] };

/** A task that may touch anything, or only these files. */
export function spec(id: string, depends: readonly string[] = [], files: TaskFiles = anyFile): TaskSpec {
  const rest = { complexity: "medium", estimateMs: null, role: "executor" } as const;
  return { id, title: id, depends, files, ...rest, claims: claimsOf(files) };
}

/** A pure stand-in for the world: performs actions by journaling what the script says happened. */
export class World {
  readonly events: RunEvent[] = [];
  state: RunState;

  constructor(tasks: readonly TaskSpec[], overrides: Partial<RunSettings> = {}) {
    const started: RunEvent = {
      type: "run-started",
      run: "r",
      plan: "p",
      title: "p",
      goal: "g",
      planHash: "h",
      base: "base",
      branch: "stint/p",
      settings: { ...settings, ...overrides },
      tasks,
    };
    this.events.push(started);
    this.state = fold(this.events)!;
  }

  add(event: RunEvent) {
    this.events.push(event);
    this.state = evolve(this.state, event)!;
  }

  /** As a driver that starts on this journal sees it. */
  refold() {
    this.state = fold(this.events)!;
  }

  /** Journals until nothing is due; `choose` is the world's answer to an action. */
  go(choose: (action: Action, state: RunState) => RunEvent, stepsMax = 10_000) {
    for (let step = 0; step < stepsMax; step += 1) {
      const action = decide(this.state)[0];
      if (action === undefined) return;
      this.add(action.type === "record" ? action.event : choose(action, this.state));
    }
    throw new Error("the run does not end");
  }
}

/** What every session of `honest` uses. */
export const usage = { inputTokens: 10, outputTokens: 1, usd: 0.5 };

/** What happens when everything works; the outcome of sessions can be scripted. */
export function honest(outcomeOf: (task: string, attempt: number) => Outcome = () => ({ kind: "ok" })) {
  let placements = 0;
  return (action: Action, state: RunState): RunEvent => {
    if (!("task" in action)) {
      if (action.type === "publish") return { type: "published", commit: state.tip, branch: state.branch };
      if (action.type === "final-verify")
        return { type: "final-verified", tip: state.tip, ok: true, checks: [], tree: `tree of ${state.tip}` };
      if (action.type === "bisect") return { type: "bisected", tip: state.tip, regressions: [] };
      if (action.type === "push") return { type: "pushed", commit: state.tip, remote: "origin", branch: state.branch };
      if (action.type === "park")
        return { type: "parked", reason: action.reason, why: action.why, until: action.until };
      throw new Error(`unexpected ${action.type}`);
    }
    const task = taskOf(state, action.task);
    const of = { task: action.task, attempt: task.attempts };
    switch (action.type) {
      case "baseline":
        return { type: "baseline", ...of, state: "red", why: "", checks: [] };
      case "work":
        return {
          type: "agent-finished",
          ...of,
          outcome: outcomeOf(action.task, task.attempts),
          report: null,
          reportProblem: null,
          usage,
        };
      case "end-session":
        return {
          type: "agent-finished",
          ...of,
          outcome: { kind: "interrupted", detail: "" },
          report: null,
          reportProblem: null,
          usage,
        };
      case "collect":
        return task.attempt?.outcome?.kind === "ok"
          ? {
              type: "candidate-made",
              ...of,
              commit: `c-${of.task}-${of.attempt}`,
              paths: [],
              pathCount: 0,
              diff: `d-${of.task}-${of.attempt}`,
            }
          : { type: "work-rescued", ...of, commit: null, ref: "", keptAt: null };
      case "verify": {
        const placement = task.attempt?.placement;
        if (placement?.onto !== action.onto) {
          const commit = `p-${of.task}-${of.attempt}-${(placements += 1)}`;
          return { type: "placed", ...of, tip: action.onto, commit, tree: `tree of ${commit}` };
        }
        return {
          type: "verdict",
          ...of,
          result: "passed",
          reason: null,
          why: "",
          tip: action.onto,
          placed: placement.commit,
          guards: [],
          checks: [],
        };
      }
      case "give":
        return { type: "workspace-given", ...of, path: "" };
      case "settle-scope":
        return { type: "scope-decided", ...of, files: task.attempt?.request ?? [], granted: true, why: "" };
      case "integrate":
        return { type: "task-integrated", ...of, commit: task.attempt!.verified!.commit };
      default:
        return unreachable(action);
    }
  };
}
