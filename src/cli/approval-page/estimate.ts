import { money } from "../../engine/budget.ts";
import type { Estimate, RoleEstimate, Range } from "../../engine/estimate.ts";
import { capsIn } from "../../report/render-cost.ts";
import { aboutDuration } from "../../base/duration.ts";
import { plural } from "../../base/plural.ts";
import { heading, type Item } from "../text-layout.ts";
import type { Page } from "./page.ts";

/** What the run may take and what bounds it, with what that is known from. */
export function estimateItems({ estimate, cap }: Pick<Page, "estimate" | "cap">): Item[] {
  const { sessions, time } = estimate;
  return [
    heading("Estimate:"),
    said(`sessions: ${sessionsText(sessions)}`),
    ...(sessions.by_role.length < 2 ? [] : sessions.by_role.map((one) => ({ ...said(roleText(one)), indent: 4 }))),
    said(`time: ${timeText(estimate)}; checks, judges and further attempts come on top`),
    ...(time.unestimated === 0 ? [] : [said(unestimatedText(estimate))]),
    ...(time.pace === null ? [] : [said(`pace: ${paceText(estimate)}`)]),
    said(`money: ${moneyText(estimate)}`),
    ...sessions.by_role.flatMap((one) => costItems(one)),
    { indent: 2, label: "cap: ", text: capText(cap) },
  ];
}

function said(text: string): Item {
  return { indent: 2, text, ours: true };
}

/** One number where both ends are the same. */
export function rangeText({ low, high }: Range, show: (value: number) => string = String): string {
  return show(low) === show(high) ? show(low) : `${show(low)} to ${show(high)}`;
}

/** By the estimates of the tasks alone. */
export function timeText({ time }: Estimate): string {
  const { makespan_ms, lanes, critical_path_ms, work_ms } = time;
  const bounds = `critical path ${aboutDuration(critical_path_ms)}, all work ${aboutDuration(work_ms)}`;
  return `about ${aboutDuration(makespan_ms)} on ${plural(lanes, "lane")} (${bounds})`;
}

/** Never 0.00 for what nobody knows. */
export function moneyText({ money: { usd, unknown, history_runs } }: Estimate): string {
  const without =
    history_runs === 0 ? "no history in this repository yet" : `no session of ${unknown.join(", ")} told its cost yet`;
  if (usd === null) return `unknown: ${without}`;
  const known = `${rangeText(usd, money)} USD`;
  return unknown.length === 0 ? known : `${known}, and an unknown amount for sessions of ${unknown.join(", ")}`;
}

/** The caps with whether they hold, or how to set one. */
export function capText({ unheld, ...caps }: Page["cap"]): string {
  const text = capsIn(caps).join(", ");
  if (text === "") return "none: set `budget.usd` to bound what a run may spend";
  return unheld === null ? text : `${text}. ${unheld}`;
}

function sessionsText({ low, high }: Range): string {
  if (low === high) return `${low}`;
  return `${low} if every first attempt passes, ${high} if every task uses all of its attempts`;
}

function roleText({ role, low, high }: RoleEstimate): string {
  return `${role}: ${rangeText({ low, high })}`;
}

function unestimatedText({ time: { unestimated, assumed_ms } }: Estimate): string {
  return `${plural(unestimated, "task")} without an estimate: counted as ${aboutDuration(assumed_ms)} each`;
}

/** What the same schedule would take if these tasks were like earlier ones; empty where there were none. */
export function paceText({ time: { makespan_ms, pace } }: Estimate): string {
  if (pace === null) return "";
  const took = `${plural(pace.tasks, "earlier task")} here took ${factorText(pace.factor)} of what was estimated`;
  return `about ${aboutDuration(makespan_ms * pace.factor)}, as ${took}`;
}

function factorText(factor: number): string {
  return factor < 0.1 ? "under 0.1x" : `${factor.toFixed(1)}x`;
}

function costItems({ role, usd_per_session: cost }: RoleEstimate): Item[] {
  if (cost === null) return [];
  const { mean, least, most, sessions, from } = cost;
  const source = from === "history" ? "" : ", by their tokens and `prices`";
  const spread = least === most ? "" : ` (${money(least)} to ${money(most)})`;
  return [
    {
      ...said(`a session of ${role}: ${money(mean)} USD${spread}, from ${plural(sessions, "session")}${source}`),
      indent: 4,
    },
  ];
}
