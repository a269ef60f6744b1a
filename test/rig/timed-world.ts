import { isObsolete, type Action } from "../../src/engine/action.ts";
import { decide } from "../../src/engine/decide.ts";
import type { CheckEvidence } from "../../src/engine/evidence.ts";
import type { RunSettings, TaskSpec } from "../../src/engine/events.ts";
import { taskOf } from "../../src/engine/state.ts";
import { honest, World } from "./world.ts";

/** How long everything takes, in milliseconds of virtual time. */
export interface Durations {
  readonly sessionMs: (task: string) => number;
  /** All checks of one verification. */
  readonly checksMs: (task: string) => number;
  /** All checks after the last landing. */
  readonly finalMs: (lanes: number) => number;
  /** What Stint itself needs for each step. */
  readonly own: OwnTime;
}

/** What the steps of a task take besides its session and its checks. */
export interface OwnTime {
  readonly baseline: number;
  /** The workspace, before the session. */
  readonly give: number;
  readonly collect: number;
  readonly place: number;
  /** The room of a verification. */
  readonly room: number;
  readonly integrate: number;
}

/** Shows what the rules alone cost. */
export const noOwnTime: OwnTime = { baseline: 0, give: 0, collect: 0, place: 0, room: 0, integrate: 0 };

interface UnderWay {
  readonly action: Action;
  readonly endMs: number;
  /** Counts the actions, so that of two that end at the same moment the one that began first is first. */
  readonly begun: number;
}

/** A pure world in which every step takes the time it is said to take: the shipped rules on a clock of its own, hours in milliseconds. */
export class TimedWorld extends World {
  nowMs = 0;
  private readonly durations: Durations;
  private readonly underWay = new Map<string, UnderWay>();
  private readonly answer = honest();
  private begun = 0;

  constructor(tasks: readonly TaskSpec[], settings: Partial<RunSettings>, durations: Durations) {
    super(tasks, settings);
    this.durations = durations;
  }

  /** Plays the run to its end and returns how long it took. */
  play(seen?: (world: this) => void): number {
    for (this.begin(); this.underWay.size > 0; this.begin()) {
      seen?.(this);
      this.endNext();
    }
    if (this.state.finished === null) throw new Error("the run did not finish");
    return this.nowMs;
  }

  /** Counts the sessions that are under way, from their baseline on, and the verifications. */
  get busy(): { readonly sessions: number; readonly verifications: number } {
    const types = [...this.underWay.values()].map(({ action }) => action.type);
    const sessions = types.filter((type) => type === "baseline" || type === "work").length;
    return { sessions, verifications: types.filter((type) => type === "verify").length };
  }

  /** Does what the driver does after an event: journals conclusions, ends what is obsolete, begins what is due. */
  private begin() {
    let due = decide(this.state);
    for (let found = conclusionIn(due); found !== undefined; found = conclusionIn(due)) {
      this.add(found.event);
      due = decide(this.state);
    }
    for (const [key, { action }] of this.underWay) if (isObsolete(this.state, action)) this.underWay.delete(key);
    for (const action of due) if (!this.underWay.has(keyOf(action))) this.start(action, this.firstMs(action));
  }

  private start(action: Action, ms: number) {
    this.underWay.set(keyOf(action), { action, endMs: this.nowMs + ms, begun: (this.begun += 1) });
  }

  /** Lets time pass until the next step ends. */
  private endNext() {
    const [next] = [...this.underWay.values()].toSorted((a, b) => a.endMs - b.endMs || a.begun - b.begun);
    if (next === undefined) return;
    const { action } = next;
    this.nowMs = next.endMs;
    this.underWay.delete(keyOf(action));
    // A verification speaks twice: when its candidate is placed, and when its checks have ended.
    const isPlacing = action.type === "verify" && !this.isPlaced(action);
    const event = this.answer(action, this.state);
    this.add(event.type === "verdict" ? { ...event, checks: [this.evidenceOf(event.task)] } : event);
    if (isPlacing) this.start(action, this.durations.own.room + this.durations.checksMs(action.task));
  }

  private evidenceOf(task: string): CheckEvidence {
    return { label: `checks of ${task}`, state: "green", why: "", tail: "", durationMs: this.durations.checksMs(task) };
  }

  private isPlaced({ task, onto }: { readonly task: string; readonly onto: string }): boolean {
    return taskOf(this.state, task).attempt?.placement?.onto === onto;
  }

  /** How long an action takes until it speaks first; what is not named takes no time. */
  private firstMs(action: Action): number {
    const { sessionMs, checksMs, finalMs, own } = this.durations;
    if (action.type === "work") return own.give + sessionMs(action.task);
    if (action.type === "verify") return this.isPlaced(action) ? own.room + checksMs(action.task) : own.place;
    if (action.type === "final-verify") return finalMs(this.state.settings.parallel);
    const isTimed = action.type === "baseline" || action.type === "collect" || action.type === "integrate";
    return isTimed ? own[action.type] : 0;
  }
}

function conclusionIn(due: readonly Action[]): Extract<Action, { type: "record" }> | undefined {
  return due.find((action): action is Extract<Action, { type: "record" }> => action.type === "record");
}

function keyOf(action: Action): string {
  return "task" in action ? action.task : action.type;
}
