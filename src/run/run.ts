import type { RunEvent } from "../engine/events.ts";
import { taskOf, type RunState } from "../engine/state.ts";
import type { Plan, PlanFiles, Rules, Task, TaskFiles } from "../plan/types.ts";
import type { Prompts } from "../prompts/overrides.ts";
import type { Bell } from "../base/bell.ts";
import type { LiveSessions } from "../agents/live-spending.ts";
import type { Ports } from "./ports.ts";

/** Every step of a run gets this: the approved plan, the ports, and the one way to append to the journal. */
export interface Run {
  /** The plan in force now; see `usePlan`. */
  plan: Plan;
  readonly rules: Rules;
  /** The plan's own files for the inbox, from the base or from the revision in force. */
  documents: PlanFiles;
  readonly prompts: Prompts;
  /** The command of set-up; empty where there is none. */
  readonly setup: string;
  readonly ports: Ports;
  readonly state: RunState;
  /** The running sessions, by task. */
  readonly live: LiveSessions;
  /** The driver's process id, for people. */
  readonly pid: number;
  /** The driver's epoch in the journal. Commands name the epoch they are meant for. */
  readonly epoch: number;
  /** Durable when it returns; the state has the event then. */
  readonly append: (event: RunEvent) => void;
  /** Throws where another process drives the run now: asked at the last moment before anything of the run's is removed. */
  readonly stillOwn: () => void;
  /** True once the journal accepts no more events: then nothing may continue. */
  readonly isPoisoned: () => boolean;
  /** Rings after every event: what is due may have changed. */
  readonly bell: Bell;
}

/** Puts another plan in force. The journal says so already. */
export function usePlan(run: Run, { plan, documents }: Pick<Run, "plan" | "documents">): void {
  run.plan = plan;
  run.documents = documents;
}

/** A task as it may be worked on now: one that was reopened may also undo what it made. */
export function taskFile(run: Run, id: string): Task {
  const task = run.plan.tasks.find((candidate) => candidate.id === id);
  if (task === undefined) throw new Error(`Internal error: expected a task of plan ${run.plan.name}, but was ${id}`);
  const own = taskOf(run.state, id).regressions.flatMap(({ paths = [] }) => paths);
  return own.length === 0 ? task : { ...task, files: withOwn(task.files, own) };
}

function withOwn(files: TaskFiles, own: readonly string[]): TaskFiles {
  const { create, modify, delete: gone } = files;
  return { ...files, create: [...create, ...own], modify: [...modify, ...own], delete: [...gone, ...own] };
}
