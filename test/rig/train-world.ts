import { isObsolete, type Action } from "../../src/engine/action.ts";
import { decide } from "../../src/engine/decide.ts";
import type { RunEvent, RunSettings, TaskSpec } from "../../src/engine/events.ts";
import { attemptOf } from "../../src/engine/attempt.ts";
import { taskOf, type RunState } from "../../src/engine/state.ts";
import { honest, World } from "./world.ts";

type Verify = Extract<Action, { type: "verify" }>;
type Judge = Extract<Action, { type: "judge" }>;
type EndJudge = Extract<Action, { type: "end-judge" }>;

/** How a verification ends. */
export type Result = "passed" | "failed" | "conflict";

export interface Chances {
  /** A number from 0 up to 1. */
  readonly chance: () => number;
  readonly resultOf: (task: string, state: RunState) => Result;
  readonly outcomeOf?: Parameters<typeof honest>[0];
  /** Where a judge has to be asked before a candidate lands. */
  readonly questions?: readonly string[];
  /** What comes of asking one. */
  readonly wordOf?: () => JudgeWord;
}

/** How a session of a judge ends. */
export type JudgeWord = "pass" | "refuse" | "nothing" | "limit" | "interrupted";

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
    if (action.type === "verify" && taskOf(this.state, action.task).attempt?.placement?.onto !== action.onto)
      return this.add(this.place(action));
    if (action.type === "judge" && this.openJudge(action.of) === null) return this.add(this.startJudge(action));
    this.underWay.delete(key);
    if (action.type === "judge" || action.type === "end-judge") return this.add(this.judge(action));
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
    const { attempts: attempt } = taskOf(this.state, task);
    return { type: "placed", task, attempt, tip: onto, commit, tree: `tree of ${commit}` };
  }

  private openJudge(of: string | null) {
    return this.state.judges.get(of)?.open ?? null;
  }

  private startJudge({ of, question }: Judge): RunEvent {
    const session = (this.state.judges.get(of)?.sessions ?? 0) + 1;
    const attempt = of === null ? 0 : taskOf(this.state, of).attempts;
    const process = { pid: 1, startTime: "1", bootId: "b" };
    return { type: "judge-started", task: of, attempt, question, session, process, marker: "m" };
  }

  /** What a judge says that was left behind by a driver is not heard. */
  private judge(action: Judge | EndJudge): RunEvent {
    const open = this.openJudge(action.of);
    if (open === null) throw new Error(`no judge of ${action.of} was started`);
    const { task, attempt, question, session } = open;
    const word = action.type === "judge" ? (this.chances.wordOf?.() ?? "pass") : "interrupted";
    const judging = task === null ? this.state.judging : taskOf(this.state, task).judging;
    const isWord = word === "pass" || word === "refuse";
    const outcomes = {
      limit: { kind: "limit", until: null },
      interrupted: { kind: "interrupted", detail: "" },
    } as const;
    return {
      type: "judged",
      ...{ task, attempt, question, session, problem: null, durationMs: 0 },
      diff: action.type === "judge" ? (judging?.diff ?? "") : "",
      judgement: isWord ? { pass: word === "pass", why: word } : null,
      outcome: isWord || word === "nothing" ? { kind: "ok" } : outcomes[word],
      usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
    };
  }

  private conclude({ task: id, onto }: Verify): RunEvent {
    const attempt = attemptOf(taskOf(this.state, id));
    const asked = this.chances.resultOf(id, this.state);
    const result = asked === "conflict" && onto === attempt.base ? "failed" : asked;
    const { questions = [] } = this.chances;
    if (result === "passed" && questions.length > 0 && attempt.placement !== null) {
      const { commit: placed, tree } = attempt.placement;
      const of = { task: id, attempt: attempt.number, diff: attempt.candidate?.commit ?? "" };
      return { type: "checks-passed", ...of, tip: onto, placed, tree, checks: [], questions };
    }
    const placed = result === "passed" ? (attempt.placement?.commit ?? null) : null;
    const reason = { passed: null, failed: "check", conflict: "conflict" } as const;
    const of = { task: id, attempt: attempt.number, tip: onto };
    return { type: "verdict", ...of, result, reason: reason[result], why: result, placed, guards: [], checks: [] };
  }

  private intend(id: string): RunEvent {
    const { number, verified } = attemptOf(taskOf(this.state, id));
    return { type: "integrating", task: id, attempt: number, old: verified?.tip ?? "", new: verified?.commit ?? "" };
  }
}

function conclusionIn(due: readonly Action[]) {
  return due.find((action) => action.type === "record");
}

function keyOf(action: Action): string {
  if ("of" in action) return `judge ${action.of ?? ""}`;
  return "task" in action ? action.task : action.type;
}
