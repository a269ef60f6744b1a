import type { TaskSpec } from "./events.ts";
import { makespanMs } from "./makespan.ts";
import { roleFor } from "./schedule.ts";
import type { Spending } from "./session.ts";
import { priced, type Price } from "./spending.ts";
import { assumedEstimateMs, shapeOf } from "../plan/shape.ts";
import type { Check, Plan, Role, Rules } from "../plan/types.ts";

/** What earlier runs of the repository tell; nothing of it is known where there was none. */
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
  /** Null where the agent chose by itself. */
  readonly model: string | null;
  readonly spent: Spending;
}

/** Who does a role now. */
export interface RoleNow {
  readonly model: string | null;
  readonly price: Price | undefined;
  /** The role whose setting decides: sessions of all roles that it decides for are alike. */
  readonly as: Role;
}

/** What an estimate is made of. */
export interface EstimateInput {
  readonly plan: Pick<Plan, "tasks" | "checks">;
  readonly rules: Pick<Rules, "checks">;
  /** The same tasks, with what each may touch. */
  readonly specs: readonly TaskSpec[];
  readonly settings: { readonly parallel: number; readonly attempts: number; readonly escalateAfter: number };
  readonly roleNow: (role: Role) => RoleNow;
  readonly history: History;
}

/** What a run of a plan may take; in `--json`, as public formats have it. */
export interface Estimate {
  readonly sessions: Range & { readonly by_role: readonly RoleEstimate[] };
  readonly time: TimeEstimate;
  readonly money: MoneyEstimate;
}

/** From every task passing at its first attempt to every task using all of its attempts. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Sessions of one role, and what one costs. */
export interface RoleEstimate extends Range {
  readonly role: Role;
  /** Null where nobody can know. */
  readonly usd_per_session: SessionCost | null;
}

/** What a session costs, and how that is known. */
export interface SessionCost {
  readonly mean: number;
  readonly least: number;
  readonly most: number;
  /** How many sessions that is known from. */
  readonly sessions: number;
  /** `prices`: the tokens are from history, the money from the settings. */
  readonly from: "history" | "prices";
}

/** How long a run takes by the estimates of its tasks. */
export interface TimeEstimate {
  readonly lanes: number;
  /** By the scheduler, if every task took its estimate and passed at its first attempt. */
  readonly makespan_ms: number;
  readonly critical_path_ms: number;
  readonly work_ms: number;
  /** Tasks that give no estimate and count as `assumed_ms`. */
  readonly unestimated: number;
  readonly assumed_ms: number;
  /** Sessions of earlier tasks against their estimates; null where none has landed yet. */
  readonly pace: { readonly factor: number; readonly tasks: number } | null;
}

/** What a run costs, as far as its roles are known. */
export interface MoneyEstimate {
  /** Of the sessions whose cost is known; null where that is none of them. */
  readonly usd: Range | null;
  /** The roles whose sessions nobody can price. */
  readonly unknown: readonly Role[];
  readonly history_runs: number;
}

/** Sessions, time and money of a plan, as far as its estimates and earlier runs tell. */
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

function paceOf({ tasks }: History): TimeEstimate["pace"] {
  const expected = tasks.reduce((all, { estimateMs }) => all + estimateMs, 0);
  const took = tasks.reduce((all, { tookMs }) => all + tookMs, 0);
  return expected === 0 ? null : { factor: took / expected, tasks: tasks.length };
}

/** What sessions like this one have cost; else what their tokens would cost now. */
function costOf(role: Role, { history, roleNow }: EstimateInput): SessionCost | null {
  const now = roleNow(role);
  const alike = history.sessions.filter((past) => roleNow(past.role).as === now.as);
  const told = alike.filter(({ model, spent }) => model === now.model && spent.usd > 0 && spent.unpricedTokens === 0);
  if (told.length > 0)
    return spread(
      told.map(({ spent }) => spent.usd),
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
