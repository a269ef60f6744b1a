import { decide } from "../../src/engine/decide.ts";
import type { RunEvent, RunSettings, TaskSpec } from "../../src/engine/events.ts";
import type { SessionActivity } from "../../src/run/activity.ts";
import type { RunEntry } from "../../src/hooks/run-entry.ts";
import { addEvent, emptyHistory, type Snapshot } from "../../src/cli/live-view/history.ts";
import type { FrameOptions } from "../../src/cli/live-view/drawing.ts";
import { frame } from "../../src/cli/live-view/frame.ts";
import { viewModel } from "../../src/cli/live-view/model.ts";
import { paintFor, plain } from "../../src/cli/paint.ts";
import { honest, spec, World } from "./world.ts";

export const coloured = paintFor({ isTTY: true }, { env: {}, argv: [] });

/** A task that touches only its own file. */
export function apart(id: string, more: Partial<TaskSpec> = {}): TaskSpec {
  const claims = { paths: [id], folders: [] };
  return { ...spec(id), title: `Do ${id}`, claims, estimateMs: 30 * 60_000, ...more };
}

/** A run whose events have times, as the view sees it; a minute passes with each event. */
export class Stage {
  readonly world: World;
  readonly record = emptyHistory();
  private readonly answer = honest();
  now = Date.parse("2026-11-16T10:00:00.000Z");

  constructor(tasks: readonly TaskSpec[], settings: Partial<RunSettings> = {}) {
    this.world = new World(tasks, settings);
    this.note(this.world.events[0]!);
  }

  add(event: RunEvent): void {
    this.now += 60_000;
    this.world.add(event);
    this.note(event);
  }

  /** Journals what is due first, so many times; the sessions of tasks in `held` do not end. */
  play(steps: number, held: ReadonlySet<string> = new Set()): void {
    for (let step = 0; step < steps; step += 1) {
      const due = decide(this.world.state);
      const action = due.find((one) => !("task" in one && one.type === "work" && held.has(one.task)));
      if (action === undefined) return;
      this.add(action.type === "record" ? action.event : this.answer(action, this.world.state));
    }
  }

  /** The agent of each task is at work. */
  start(...ids: readonly string[]): void {
    for (const task of ids) {
      this.add({ type: "attempt-started", task, attempt: 1, base: "base", role: "executor" });
      this.add({ type: "baseline", task, attempt: 1, state: "red", why: "", checks: [] });
      const process = { pid: 1, startTime: "1", bootId: "b" };
      this.add({ type: "agent-started", task, attempt: 1, process, marker: "" });
    }
  }

  snapshot(more: Partial<Snapshot> = {}): Snapshot {
    const { state } = this.world;
    const { record, now } = this;
    return { state, record, sessions: [], commands: [], now, driver: 1, isStopping: false, hasKeys: true, ...more };
  }

  picture(columns: number, rows: number, more: Partial<Snapshot & FrameOptions> = {}): string[] {
    const options = { size: { columns, rows }, paint: plain, selected: null, warning: null, footer: "q leave" };
    return frame(viewModel(this.snapshot(more)), { ...options, ...more });
  }

  private note(event: RunEvent): void {
    addEvent(this.record, { ...event, at: new Date(this.now).toISOString() } as RunEntry);
  }
}

export function says(task: string | null, line: string, tokens = 0): SessionActivity {
  return { task, line, inputTokens: tokens, outputTokens: 0, usd: 0, unpricedTokens: 0 };
}

/** Three tasks that can run at once, and a fourth that waits for two of them. */
export const three = ["01-models", "02-vat", "03-csv"].map((id) => apart(id));
export const plan = [...three, apart("04-docs", { depends: ["02-vat", "03-csv"] })];

/** A run of that plan in which two agents work. */
export function stage(): Stage {
  const stage = new Stage(plan, { parallel: 3, budgetUsd: 20 });
  stage.start("02-vat", "03-csv");
  return stage;
}
