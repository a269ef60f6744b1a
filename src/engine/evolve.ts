import type { EventOf, RecordedSettings, RunEvent, RunSettings } from "./events.ts";
import { holdAfter, showsAnswer } from "./hold.ts";
import { rankTasks } from "./schedule.ts";
import { afterSession } from "./session-end.ts";
import { add, noSpending, spendingOf } from "./spending.ts";
import { isOver, taskOf, type Phase, type RunState, type TaskState } from "./state.ts";
import { limits } from "../limits.ts";
import { unreachable } from "../result.ts";

/** Folds a journal; undefined until the run has started. */
export function fold(events: Iterable<RunEvent>): RunState | undefined {
  let state: RunState | undefined;
  for (const event of events) state = evolve(state, event);
  return state;
}

/** What an event makes of the state. No clock, no chance, no I/O: the same journal always folds to the same state. */
export function evolve(state: RunState | undefined, event: RunEvent): RunState | undefined {
  if (event.type === "plan-approved" || event.type === "journal-repaired") return state;
  if (event.type === "run-started") return startRun(event);
  if (state === undefined) throw new Error(`Internal error: expected run-started first, but was ${event.type}`);
  apply(state, event);
  return state;
}

function startRun(event: EventOf<"run-started">): RunState {
  const ranks = rankTasks(event.tasks);
  const tasks = new Map(event.tasks.map((spec) => [spec.id, newTask(spec, ranks.get(spec.id) ?? 0)]));
  const dependants = new Map<string, string[]>(event.tasks.map((spec) => [spec.id, []]));
  for (const spec of event.tasks) for (const id of spec.depends) dependants.get(id)?.push(spec.id);
  const { run, plan, title, planHash, base, branch } = event;
  return {
    run,
    plan,
    title,
    planHash,
    base,
    branch,
    settings: settingsOf(event.settings),
    tasks,
    dependants,
    active: new Set(),
    ready: new Set(event.tasks.filter((spec) => spec.depends.length === 0).map((spec) => spec.id)),
    queue: new Set(),
    counts: { integrated: 0, satisfied: 0, blocked: 0 },
    tip: base,
    publication: null,
    hold: null,
    holdStreak: 0,
    parked: null,
    stopped: null,
    finalVerified: null,
    finished: null,
    usage: noSpending,
    usageByRole: new Map(),
  };
}

/** Journals of 0.1 knew one cap, and kept it whoever had set it. */
function settingsOf(recorded: RecordedSettings): RunSettings {
  return { budgetTokens: null, taskUsd: null, askedUsd: recorded.budgetUsd, ...recorded };
}

function newTask(spec: TaskState["spec"], rank: number): TaskState {
  return {
    spec,
    rank,
    phase: "pending",
    unmet: new Set(spec.depends).size,
    attempt: 0,
    spent: 0,
    conflicts: 0,
    base: "",
    role: spec.role,
    redOn: null,
    process: null,
    outcome: null,
    report: null,
    candidate: null,
    placed: null,
    tip: null,
    commit: null,
    feedback: null,
    blocked: null,
    replanAsked: false,
    usage: noSpending,
  };
}

function apply(
  state: RunState,
  event: Exclude<RunEvent, { type: "plan-approved" | "run-started" | "journal-repaired" }>,
) {
  switch (event.type) {
    case "resumed":
      return resume(state, event);
    case "attempt-started":
      return startAttempt(state, event);
    case "baseline":
      return baseline(state, event);
    case "agent-started":
      taskOf(state, event.task).process = { identity: event.process, marker: event.marker };
      return enter(state, event.task, "working");
    case "agent-finished":
      return finishAgent(state, event);
    case "work-rescued":
      return rescued(state, event.task);
    case "work-lost":
      return lost(state, event);
    case "candidate-made":
      taskOf(state, event.task).candidate = event.commit;
      return enter(state, event.task, "candidate");
    case "verdict":
      return verdict(state, event);
    case "integrating":
      taskOf(state, event.task).tip = event.old;
      taskOf(state, event.task).placed = event.new;
      return enter(state, event.task, "integrating");
    case "task-integrated":
      taskOf(state, event.task).commit = event.commit;
      state.tip = event.commit;
      return enter(state, event.task, "integrated");
    case "replan-requested":
      taskOf(state, event.task).replanAsked = true;
      return;
    case "task-blocked":
      taskOf(state, event.task).blocked = { kind: event.kind, why: event.why };
      return enter(state, event.task, "blocked");
    case "task-requeued":
      return requeue(state, event.task);
    case "published":
      state.publication = { commit: event.commit, deferred: null };
      return;
    case "publish-deferred":
      state.publication = { commit: event.commit, deferred: event.why };
      return;
    case "parked":
      state.parked = { reason: event.reason, why: event.why, until: event.until };
      if (event.reason === "limit" || event.reason === "overloaded") state.holdStreak += 1;
      return;
    case "stopped":
      state.stopped = event.why;
      return;
    case "final-verified":
      state.finalVerified = event;
      return;
    case "run-finished":
      state.finished = event.outcome;
      return;
    default:
      return unreachable(event);
  }
}

function resume(state: RunState, event: EventOf<"resumed">) {
  state.settings = settingsOf(event.settings);
  state.parked = null;
  state.stopped = null;
  state.hold = null;
  if (event.why === "driver-started") state.holdStreak = 0;
  if (state.finalVerified?.ok === false) state.finalVerified = null;
  if (state.publication?.deferred !== null) state.publication = null;
}

function startAttempt(state: RunState, event: EventOf<"attempt-started">) {
  const task = taskOf(state, event.task);
  task.attempt = event.attempt;
  task.base = event.base;
  task.role = event.role;
  task.outcome = task.report = task.candidate = task.placed = task.tip = task.process = null;
  enter(state, event.task, task.redOn === event.base ? "baselined" : "started");
}

function baseline(state: RunState, event: EventOf<"baseline">) {
  const task = taskOf(state, event.task);
  switch (event.state) {
    case "red":
      task.redOn = task.base;
      return enter(state, event.task, "baselined");
    case "green":
      return enter(state, event.task, "satisfied");
    case "broken":
      task.blocked = { kind: "broken-check", why: event.why };
      return enter(state, event.task, "exhausted");
    default:
      return unreachable(event.state);
  }
}

function finishAgent(state: RunState, event: EventOf<"agent-finished">) {
  const task = taskOf(state, event.task);
  task.outcome = event.outcome;
  task.report = event.report;
  const spent = spendingOf(event.usage);
  task.usage = add(task.usage, spent);
  state.usage = add(state.usage, spent);
  state.usageByRole.set(task.role, add(state.usageByRole.get(task.role) ?? noSpending, spent));
  state.hold = holdAfter(event.outcome, state.hold);
  if (showsAnswer(event.outcome)) state.holdStreak = 0;
  enter(state, event.task, "ended");
}

/** A session that costs nothing frees its task at once; others wait in `rescued` for their verdict. */
function rescued(state: RunState, id: string) {
  const task = taskOf(state, id);
  enter(state, id, afterSession(task).kind === "free" ? "pending" : "rescued");
}

/** An agent that deletes its own workspace must not be started for ever: what it did costs an attempt. */
function lost(state: RunState, event: EventOf<"work-lost">) {
  const task = taskOf(state, event.task);
  if (afterSession(task).kind === "free") return enter(state, event.task, "pending");
  const why = `the workspace was gone when the session was over: ${event.path}`;
  task.feedback = { attempt: event.attempt, reason: "no-change", why, guards: [], checks: [] };
  task.spent += 1;
  enter(state, event.task, task.spent >= state.settings.attempts ? "exhausted" : "pending");
}

function verdict(state: RunState, event: EventOf<"verdict">) {
  const task = taskOf(state, event.task);
  if (event.result === "passed") {
    task.placed = event.placed;
    task.tip = event.tip;
    return enter(state, event.task, "passed");
  }
  const { attempt, reason, why, guards, checks } = event;
  task.feedback = { attempt, reason, why, guards, checks };
  if (event.result === "conflict") {
    task.conflicts += 1;
    return enter(state, event.task, task.conflicts > limits.conflictsPerTaskMax ? "exhausted" : "pending");
  }
  task.spent += 1;
  // What outgrew a context once would do so again: only a smaller task helps.
  const isLast = event.reason === "context" || task.spent >= state.settings.attempts;
  enter(state, event.task, isLast ? "exhausted" : "pending");
}

function requeue(state: RunState, id: string) {
  const task = taskOf(state, id);
  if (task.phase !== "blocked" && task.phase !== "exhausted") return;
  task.spent = 0;
  task.conflicts = 0;
  task.blocked = null;
  task.replanAsked = false;
  task.redOn = null;
  state.parked = null;
  enter(state, id, "pending");
}

/** The only place that changes a phase, so that the indexes and counts always agree with it. */
function enter(state: RunState, id: string, phase: Phase) {
  const task = taskOf(state, id);
  if (task.phase === "blocked") state.counts.blocked -= 1;
  task.phase = phase;
  setMember(state.active, id, phase !== "pending" && phase !== "blocked" && !isOver(phase));
  setMember(state.ready, id, phase === "pending" && task.unmet === 0);
  setMember(state.queue, id, phase === "candidate" || phase === "passed" || phase === "integrating");
  if (phase === "blocked") state.counts.blocked += 1;
  if (phase === "integrated") state.counts.integrated += 1;
  if (phase === "satisfied") state.counts.satisfied += 1;
  if (isOver(phase)) meet(state, id);
}

function meet(state: RunState, id: string) {
  for (const dependant of state.dependants.get(id) ?? []) {
    const task = taskOf(state, dependant);
    task.unmet -= 1;
    if (task.phase === "pending" && task.unmet === 0) state.ready.add(dependant);
  }
}

function setMember(set: Set<string>, id: string, member: boolean) {
  if (member) set.add(id);
  else set.delete(id);
}
