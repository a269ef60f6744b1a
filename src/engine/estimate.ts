import type { TaskSpec, RunSettings } from "./events.ts";
import { roleFor, nextTasks } from "./schedule.ts";
import type { Spending } from "./session.ts";
import { priced, type Price } from "./spending.ts";
import { assumedEstimateMs, shapeOf } from "../plan/shape.ts";
import type { Check, Plan, Role, Rules } from "../plan/types.ts";
import { enter } from "./state.ts";
import { stateAtStart } from "./start.ts";

/** What is known from earlier runs in the repository. */
export interface History {
  readonly runs: number;
  /** Sessions that were not cut short by a limit, a cap or a person. */
  readonly sessions: readonly PastSession[];
  /** Tasks that landed: what their sessions took together, and what had been expected. */
  readonly tasks: readonly { readonly estimateMs: number; readonly tookMs: number }[];
}

/** A session of an earlier run. */
export interface PastSession {
  readonly role: Role;
  /** Null where the agent chose the model itself. */
  readonly model: string | null;
  readonly spent: Spending;
}

/** The model and the price of a role now. */
export interface RoleNow {
  readonly model: string | null;
  readonly price: Price | undefined;
  /** The role whose setting applies: sessions of all roles that share one setting are alike. */
  readonly as: Role;
}

/** The facts that an estimate is made from. */
export interface EstimateInput {
  readonly plan: Pick<Plan, "tasks" | "checks">;
  readonly rules: Pick<Rules, "checks">;
  /** The same tasks, with what each may touch. */
  readonly specs: readonly TaskSpec[];
  readonly settings: { readonly parallel: number; readonly attempts: number; readonly escalateAfter: number };
  readonly roleNow: (role: Role) => RoleNow;
  readonly history: History;
}

/** What a run of a plan may take. `--json` prints it as it is. */
export interface Estimate {
  readonly sessions: Range & { readonly by_role: readonly RoleEstimate[] };
  readonly time: TimeEstimate;
  readonly money: MoneyEstimate;
}

/** The low end is every task passing at its first attempt, the high end every task using all of its attempts. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Sessions of one role, and what one costs. */
export interface RoleEstimate extends Range {
  readonly role: Role;
  /** Null where it cannot be known. */
  readonly usd_per_session: SessionCost | null;
}

/** What a session costs, and how that is known. */
export interface SessionCost {
  readonly mean: number;
  readonly least: number;
  readonly most: number;
  /** How many earlier sessions the numbers come from. */
  readonly sessions: number;
  /** `prices`: the tokens are from history, the money from the settings. */
  readonly from: "history" | "prices";
}

/** How long a run takes by the estimates of its tasks. */
export interface TimeEstimate {
  readonly lanes: number;
  /** The time the scheduler needs if every task takes its estimate and passes at its first attempt. */
  readonly makespan_ms: number;
  readonly critical_path_ms: number;
  readonly work_ms: number;
  /** How many tasks give no estimate and count as `assumed_ms`. */
  readonly unestimated: number;
  readonly assumed_ms: number;
  /** How long sessions of earlier tasks took compared with their estimates; null where none has landed yet. */
  readonly pace: { readonly factor: number; readonly tasks: number } | null;
}

/** What a run costs, as far as its roles are known. */
export interface MoneyEstimate {
  /** The cost of the sessions whose price is known; null where none is. */
  readonly usd: Range | null;
  /** The roles whose sessions have no known price. */
  readonly unknown: readonly Role[];
  readonly history_runs: number;
}

/** Estimates the sessions, time and money of a plan from its own estimates and from earlier runs. */
export function estimatePlan(input: EstimateInput): Estimate {
  const byRole = sessionsByRole(input).map((one) => ({ ...one, usd_per_session: costOf(one.role, input) }));
  return {
    sessions: { ...sum(byRole.map((one) => [one, 1])), by_role: byRole },
    time: timeOf(input),
    money: moneyOf(byRole, input.history),
  };
}

function sessionsByRole(input: EstimateInput): (Range & { readonly role: Role })[] {
  const { specs, plan, rules, settings } = input;
  const spans = new Map<Role, { low: number; high: number }>();
  const add = (role: Role, { low, high }: Range) => {
    const before = spans.get(role) ?? { low: 0, high: 0 };
    spans.set(role, { low: before.low + low, high: before.high + high });
  };
  for (const spec of specs) {
    for (let spent = 0; spent < settings.attempts; spent += 1) {
      add(roleFor({ spec, spent, feedback: null }, settings.escalateAfter), { low: spent === 0 ? 1 : 0, high: 1 });
    }
  }
  const ofTasks = plan.tasks.map(({ checks }) => questionsIn(checks) + questionsIn(rules.checks));
  const low = ofTasks.reduce((all, count) => all + count, 0);
  const final = questionsIn(plan.checks);
  if (low + final > 0) add("judge", { low: low + final, high: low * settings.attempts + final });
  return [...spans].map(([role, span]) => ({ role, ...span }));
}

function questionsIn(checks: readonly Check[]): number {
  return checks.filter(({ kind }) => kind === "judge").length;
}

function timeOf({ plan, specs, settings, history }: EstimateInput): TimeEstimate {
  const { criticalMs, totalMs } = shapeOf(plan.tasks);
  return {
    lanes: settings.parallel,
    makespan_ms: makespanMs(specs, settings.parallel),
    critical_path_ms: criticalMs,
    work_ms: totalMs,
    unestimated: plan.tasks.filter(({ estimateMs }) => estimateMs === undefined).length,
    assumed_ms: assumedEstimateMs,
    pace: paceOf(history),
  };
}

/**
 * Computes how long the scheduler would keep the lanes busy if every task took its estimate and passed at once.
 * Tasks in a cycle, and those that depend on them, never start and do not count.
 */
export function makespanMs(tasks: readonly TaskSpec[], lanes: number): number {
  const state = stateAtStart({ ...nowhere, type: "run-started", settings: { ...uncapped, parallel: lanes }, tasks });
  const running: { readonly id: string; readonly endMs: number }[] = [];
  let nowMs = 0;
  for (;;) {
    for (const { spec } of nextTasks(state)) {
      enter(state, spec.id, "working");
      running.push({ id: spec.id, endMs: nowMs + (spec.estimateMs ?? assumedEstimateMs) });
    }
    if (running.length === 0) return nowMs;
    nowMs = Math.min(...running.map(({ endMs }) => endMs));
    for (const ended of running.filter(({ endMs }) => endMs === nowMs)) {
      running.splice(running.indexOf(ended), 1);
      enter(state, ended.id, "integrated");
    }
  }
}

const nowhere = { run: "", plan: "", title: "", goal: "", planHash: "", base: "", branch: "" };

const uncapped: Omit<RunSettings, "parallel"> = {
  attempts: 1,
  escalateAfter: 1,
  budgetUsd: null,
  budgetTokens: null,
  taskUsd: null,
  askedUsd: null,
  askedParallel: null,
  reverify: "affected",
  scopeRequests: "ask",
  push: "never",
  replan: "never",
  replanMax: 0,
  only: null,
};

function paceOf({ tasks }: History): TimeEstimate["pace"] {
  const expected = tasks.reduce((all, { estimateMs }) => all + estimateMs, 0);
  const took = tasks.reduce((all, { tookMs }) => all + tookMs, 0);
  return expected === 0 ? null : { factor: took / expected, tasks: tasks.length };
}

/** Averages what sessions like this one have cost, or else what their tokens would cost now. */
function costOf(role: Role, { history, roleNow }: EstimateInput): SessionCost | null {
  const now = roleNow(role);
  const alike = history.sessions.filter((past) => roleNow(past.role).as === now.as);
  const reported = alike.filter(
    ({ model, spent }) => model === now.model && spent.usd > 0 && spent.unpricedTokens === 0,
  );
  if (reported.length > 0)
    return spread(
      reported.map(({ spent }) => spent.usd),
      "history",
    );
  const { price } = now;
  const counted = alike.filter(({ spent }) => spent.inputTokens + spent.outputTokens > 0);
  if (price === undefined || counted.length === 0) return null;
  return spread(
    counted.map(({ spent }) => priced({ ...spent, usd: 0 }, price).usd),
    "prices",
  );
}

function spread(values: readonly number[], from: SessionCost["from"]): SessionCost {
  const mean = values.reduce((all, value) => all + value, 0) / values.length;
  return { mean, least: Math.min(...values), most: Math.max(...values), sessions: values.length, from };
}

function moneyOf(byRole: readonly RoleEstimate[], { runs }: History): MoneyEstimate {
  const known = byRole.flatMap((one) =>
    one.usd_per_session === null ? [] : [[one, one.usd_per_session.mean] as const],
  );
  const unknown = byRole.filter(({ usd_per_session }) => usd_per_session === null).map(({ role }) => role);
  return { usd: known.length === 0 ? null : sum(known), unknown, history_runs: runs };
}

function sum(spans: readonly (readonly [Range, number])[]): Range {
  return {
    low: spans.reduce((all, [{ low }, times]) => all + low * times, 0),
    high: spans.reduce((all, [{ high }, times]) => all + high * times, 0),
  };
}
