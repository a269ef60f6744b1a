import { money } from "../../engine/budget.ts";
import type { Estimate, RoleEstimate, Range } from "../../engine/estimate.ts";
import { capsIn } from "../../report/render-cost.ts";
import { aboutDuration } from "../../base/duration.ts";
import { plural } from "../../base/plural.ts";
import { heading, type Item } from "../text-layout.ts";
import type { Page } from "./model.ts";

/** Shows the expected time and cost of the run, its caps, and what the estimate is based on. */
export function estimateItems({ estimate, cap }: Pick<Page, "estimate" | "cap">): Item[] {
  const { sessions, time } = estimate;
  return [
    heading("Estimate:"),
    said(`sessions: ${sessionsText(sessions)}`),
    ...(sessions.by_role.length < 2 ? [] : sessions.by_role.map((one) => ({ ...said(roleText(one)), indent: 4 }))),
    said(`time: ${timeText(estimate)}; checks, judges and retries come on top`),
    ...(time.unestimated === 0 ? [] : [said(unestimatedText(estimate))]),
    ...(time.pace === null ? [] : [said(`pace: ${paceText(estimate)}`)]),
    said(`cost: ${moneyText(estimate)}`),
    ...sessions.by_role.flatMap((one) => costItems(one)),
    { indent: 2, label: "cap: ", text: capText(cap) },
  ];
}

function said(text: string): Item {
  return { indent: 2, text, ours: true };
}

/** Writes a range, or one number if both ends are the same. */
export function rangeText({ low, high }: Range, show: (value: number) => string = String): string {
  return show(low) === show(high) ? show(low) : `${show(low)} to ${show(high)}`;
}

/** Says how long the run takes by the estimates of the tasks alone. */
export function timeText({ time }: Estimate): string {
  const { makespan_ms, lanes, critical_path_ms, work_ms } = time;
  const bounds = `critical path ${aboutDuration(critical_path_ms)}, total work ${aboutDuration(work_ms)}`;
  return `about ${aboutDuration(makespan_ms)} ${lanes === 1 ? "one at a time" : `with ${lanes} in parallel`} (${bounds})`;
}

/** Says what the run may cost; an unknown cost is never shown as 0.00. */
export function moneyText({ money: { usd, unknown, history_runs } }: Estimate): string {
  const without =
    history_runs === 0 ? "no history in this repository yet" : `cost of ${unknown.join(", ")} not reported so far`;
  if (usd === null) return `unknown: ${without}`;
  const known = `${rangeText(usd, money)} USD`;
  return unknown.length === 0 ? known : `${known}, plus the unknown cost of ${unknown.join(", ")}`;
}

/** Says which caps there are and whether they can be enforced, or how to set one. */
export function capText({ unheld, ...caps }: Page["cap"]): string {
  const text = capsIn(caps).join(", ");
  if (text === "") return "none: set `budget.usd` to limit what a run may spend";
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

/** Says how long it would take at the pace of earlier tasks; empty if there were none. */
export function paceText({ time: { makespan_ms, pace } }: Estimate): string {
  if (pace === null) return "";
  const took = `${plural(pace.tasks, "earlier task")} here took ${factorText(pace.factor)} the estimate`;
  return `about ${aboutDuration(makespan_ms * pace.factor)}: ${took}`;
}

function factorText(factor: number): string {
  return factor < 0.1 ? "under 0.1x" : `${factor.toFixed(1)}x`;
}

function costItems({ role, usd_per_session: cost }: RoleEstimate): Item[] {
  if (cost === null) return [];
  const { mean, least, most, sessions, from } = cost;
  const source = from === "history" ? "" : ", from their tokens and `prices`";
  const spread = least === most ? "" : ` (${money(least)} to ${money(most)})`;
  return [
    {
      ...said(`${role}: ${money(mean)} USD per session${spread}, from ${plural(sessions, "session")}${source}`),
      indent: 4,
    },
  ];
}
