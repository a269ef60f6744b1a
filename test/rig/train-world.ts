import { decide, isObsolete, type Action } from "../../src/engine/decide.ts";
import type { RunEvent, RunSettings, TaskSpec } from "../../src/engine/events.ts";
import { taskOf, type RunState } from "../../src/engine/state.ts";
import { honest, World } from "./world.ts";

type Verify = Extract<Action, { type: "verify" }>;

/** How a verification ends. */
export type Result = "passed" | "failed" | "conflict";

export interface Chances {
  /** A number from 0 up to 1. */
  readonly chance: () => number;
  readonly resultOf: (task: string, state: RunState) => Result;
  readonly outcomeOf?: Parameters<typeof honest>[0];
}

/**
 * A pure world in which actions are under way side by side and end in any order, as the driver runs them: each begins when
 * it is due, a verification places its candidate first and speaks later, and one that is obsolete is dropped.
 */
export class TrainWorld extends World {
  readonly underWay = new Map<string, Action>();
  private readonly chances: Chances;
  private readonly answer: ReturnType<typeof honest>;
  private placements = 0;

  constructor(tasks: readonly TaskSpec[], settings: Partial<RunSettings>, chances: Chances) {
    super(tasks, settings);
    this.chances = chances;
    this.answer = honest(chances.outcomeOf);
  }

  /** Begins what is due; false where nothing is under way then. */
  begin(): boolean {
    let due = decide(this.state);
    for (let found = conclusionIn(due); found !== undefined; found = conclusionIn(due)) {
      this.add(found.event);
      due = decide(this.state);
    }
    for (const [key, action] of this.underWay) if (isObsolete(this.state, action)) this.underWay.delete(key);
    for (const action of due) if (!this.underWay.has(keyOf(action))) this.underWay.set(keyOf(action), action);
    return this.underWay.size > 0;
  }

  /** Lets one of the actions under way take its next step. */
  step() {
    const all = [...this.underWay];
    const [key, action] = all[Math.floor(this.chances.chance() * all.length)] ?? [];
    if (key === undefined || action === undefined) return;
    if (action.type === "verify" && taskOf(this.state, action.task).placement?.onto !== action.onto)
      return this.add(this.place(action));
    this.underWay.delete(key);
    if (action.type === "integrate") this.add(this.intend(action.task));
    this.add(action.type === "verify" ? this.conclude(action) : this.answer(action, this.state));
  }

  /** The driver dies: what was under way is gone, the journal is folded anew. */
  crash() {
    this.underWay.clear();
    this.refold();
    this.add({ type: "resumed", why: "driver-started", pid: 1, settings: this.state.settings });
  }

  private place({ task, onto }: Verify): RunEvent {
    const commit = `${task}.${(this.placements += 1)}`;
    const { attempt } = taskOf(this.state, task);
    return { type: "placed", task, attempt, tip: onto, commit, tree: `tree of ${commit}` };
  }

  private conclude({ task: id, onto }: Verify): RunEvent {
    const task = taskOf(this.state, id);
    const asked = this.chances.resultOf(id, this.state);
    const result = asked === "conflict" && onto === task.base ? "failed" : asked;
    const placed = result === "passed" ? (task.placement?.commit ?? null) : null;
    const reason = { passed: null, failed: "check", conflict: "conflict" } as const;
    const of = { task: id, attempt: task.attempt, tip: onto };
    return { type: "verdict", ...of, result, reason: reason[result], why: result, placed, guards: [], checks: [] };
  }

  private intend(id: string): RunEvent {
    const { attempt, tip, placed } = taskOf(this.state, id);
    return { type: "integrating", task: id, attempt, old: tip ?? "", new: placed ?? "" };
  }
}

function conclusionIn(due: readonly Action[]) {
  return due.find((action) => action.type === "record");
}

function keyOf(action: Action): string {
  return "task" in action ? action.task : action.type;
}
