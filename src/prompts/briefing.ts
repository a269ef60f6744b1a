import type { RunState } from "../engine/state.ts";
import type { Plan, PlanFiles, Rules, Task } from "../plan/types.ts";
import type { Prompts } from "./overrides.ts";

/** Everything that the prompt and the inbox of one session are made from. */
export interface Briefing {
  readonly plan: Plan;
  readonly rules: Rules;
  readonly task: Task;
  readonly state: RunState;
  readonly documents: PlanFiles;
  readonly prompts: Prompts;
  readonly inputs: Inputs;
}

/** A task's source_docs at the base of its attempt. */
export interface Inputs {
  /** By path in the repo. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Files that exceed the bounds of an inbox; the agent finds them in its workspace. */
  readonly leftOut: readonly string[];
}
