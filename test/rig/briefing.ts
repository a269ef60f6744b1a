import type { RunEvent, TaskSpec } from "../../src/engine/events.ts";
import { fold } from "../../src/engine/evolve.ts";
import type { RunState } from "../../src/engine/state.ts";
import { parsePlan } from "../../src/plan/parse.ts";
import type { Plan, PlanFile, Task } from "../../src/plan/types.ts";
import type { Briefing, Inputs } from "../../src/prompts/executor.ts";
import { defaultPrompts } from "../../src/prompts/overrides.ts";
import { makes, plan as planFiles, type TaskSpec as WrittenTask } from "./plan.ts";
import { settings, spec } from "./world.ts";

/** What the executor of task `id` is told of, in a run of these tasks that has just begun. */
export function briefing(tasks: Record<string, WrittenTask>, id: string, some: Partial<Briefing> = {}): Briefing {
  const written = { ...planFiles({ name: "p", tasks }), ".stint/rules.md": "---\n---\nWork carefully.\n" };
  const entries = Object.entries(written).map(([path, text]): [string, PlanFile] => [
    path,
    { bytes: Buffer.from(text) },
  ]);
  const documents = new Map(entries);
  const { plan, rules } = parsePlan(documents, "p");
  if (plan === undefined) throw new Error("The test's plan is wrong");
  const task = plan.tasks.find((candidate) => candidate.id === id)!;
  return { plan, rules, task, state: stateOf(plan), documents, prompts: defaultPrompts, inputs: noInputs, ...some };
}

/** In the middle of a plan of so many tasks: one with a task before it and one after it, whatever the number. */
export const middle = "m1-middle";

/** So many tasks that touch nothing of each other, but for the three around the middle. */
export function tasksAroundMiddle(count: number): Record<string, WrittenTask> {
  const others = Array.from({ length: count - 3 }, (_, at) => `t${String(at).padStart(4, "0")}`);
  const half = Math.floor(others.length / 2);
  const alone = (ids: readonly string[]) => ids.map((id): [string, WrittenTask] => [id, makes(`${id}.txt`)]);
  return Object.fromEntries([
    ...alone(others.slice(0, half)),
    ["m0-before", makes("before.txt")],
    [middle, makes("middle.txt", { depends: ["m0-before"] })],
    ["m2-after", makes("after.txt", { depends: [middle] })],
    ...alone(others.slice(half)),
  ]);
}

const noInputs: Inputs = { files: new Map(), leftOut: [] };

function stateOf(plan: Plan): RunState {
  const started: RunEvent = {
    ...{ type: "run-started", run: "r", plan: "p", title: "P", goal: "g", planHash: "h", base: "b", branch: "stint/p" },
    settings,
    tasks: plan.tasks.map(specOf),
  };
  return fold([started])!;
}

function specOf({ id, title, depends, files, complexity, role }: Task): TaskSpec {
  return { ...spec(id, depends, files), title, complexity, role };
}
