import type { EventOf, TaskSpec } from "./events.ts";
import { Meetings } from "./meetings.ts";
import { Ranked } from "./ranked.ts";
import { rankTasks } from "./schedule.ts";
import { noSpending } from "./spending.ts";
import type { RunState, TaskState } from "./state.ts";

/** Makes the state of a run that has just started. */
export function stateAtStart(event: EventOf<"run-started">): RunState {
  const ranks = rankTasks(event.tasks);
  const tasks = new Map(event.tasks.map((spec) => [spec.id, newTask(spec, ranks.get(spec.id) ?? 0)]));
  const { run, number, plan, title, goal, planHash, base, branch } = event;
  return {
    run,
    number,
    plan,
    title,
    goal,
    planHash,
    base,
    branch,
    settings: event.settings,
    asked: event.settings.only,
    tasks,
    dependants: dependantsOf(event.tasks),
    active: new Set(),
    held: new Set(),
    ready: new Ranked(
      [...ranks.keys()],
      event.tasks.filter((spec) => spec.depends.length === 0).map((spec) => spec.id),
    ),
    meetings: new Meetings(tasks),
    called: new Set(),
    queue: new Set(),
    counts: { integrated: 0, satisfied: 0, blocked: 0 },
    questions: new Map(),
    commands: new Set(),
    proven: new Map(),
    flaky: new Map(),
    testsSeen: new Map(),
    tip: base,
    landed: [],
    publication: null,
    holds: new Map(),
    falseStarts: new Map(),
    holdStreak: 0,
    parked: null,
    stopped: null,
    paused: false,
    finishing: new Set(),
    push: null,
    bisected: null,
    judging: null,
    judges: new Map(),
    finalVerified: null,
    finished: null,
    replanning: {
      inForce: null,
      latest: 0,
      asked: 0,
      open: null,
      proposal: null,
      accepted: null,
      spent: new Set(),
      retired: new Map(),
    },
    usage: noSpending,
    usageByRole: new Map(),
  };
}

/** Lists, for each task, the tasks that depend on it. */
export function dependantsOf(specs: readonly TaskSpec[]): Map<string, string[]> {
  const dependants = new Map<string, string[]>(specs.map((spec) => [spec.id, []]));
  for (const spec of specs) for (const id of spec.depends) dependants.get(id)?.push(spec.id);
  return dependants;
}

/** Makes the state of a task that has not begun. */
export function newTask(spec: TaskState["spec"], rank: number): TaskState {
  return {
    spec,
    rank,
    claims: spec.claims,
    phase: "pending",
    unmet: new Set(spec.depends).size,
    attempts: 0,
    uncounted: 0,
    attempt: null,
    spent: 0,
    conflicts: 0,
    redOn: null,
    redChecks: new Map(),
    judging: null,
    commit: null,
    feedback: null,
    failed: null,
    requests: 0,
    granted: [],
    answers: [],
    byHand: false,
    regressions: [],
    reopens: 0,
    blocked: null,
    replanAsked: false,
    replan: null,
    usage: noSpending,
  };
}
