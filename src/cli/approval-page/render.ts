import { localStamp } from "../../base/local-time.ts";
import { plural } from "../../base/plural.ts";
import { gap, heading, lay, type Item, type Look } from "../text-layout.ts";
import {
  agentItems,
  decisionItems,
  inputItems,
  placeItems,
  prerequisiteItems,
  proposedRulesItems,
} from "./surroundings.ts";
import { estimateItems, capText, moneyText, paceText, rangeText, timeText } from "./estimate.ts";
import type { Page } from "./model.ts";
import { diffItem } from "./task-changes.ts";
import { taskItems } from "./tasks.ts";
import { waveItems } from "./waves.ts";

/** Renders the page for people. Nothing that may run or be touched is cut; what a reader could not see is made visible. */
export function renderPage(page: Page, look: Look): string[] {
  return [...lay(items(page, look), look), ...summaryLines(page, look)];
}

function items(page: Page, look: Look): Item[] {
  const { plan, title, goal } = page;
  return [
    ...differenceItems(page),
    { label: `Plan ${plan}: `, text: title, style: "bold" },
    ...(goal === "" || goal === title ? [] : [{ label: "Goal: ", text: goal }]),
    gap,
    ...waveItems(page, look),
    ...decisionItems(page),
    gap,
    ...prerequisiteItems(page),
    gap,
    ...agentItems(page),
    gap,
    ...placeItems(page),
    gap,
    ...inputItems(page),
    ...proposedRulesItems(page),
    ...taskItems(page),
    ...problemItems(page),
    ...estimateItems(page),
    gap,
  ];
}

/** What a person who approved before has not seen comes first. */
function differenceItems({ approved, difference }: Page): Item[] {
  if (approved === null || difference.length === 0) return [];
  return [
    { text: `Changed since the approval of ${localStamp(approved.at)}:`, style: "bold" },
    ...difference.map(diffItem),
    gap,
  ];
}

/** Shows the warnings of lint; a plan with errors never gets as far as this page. */
function problemItems({ problems }: Page): Item[] {
  if (problems.length === 0) return [];
  return [
    heading("Warnings:"),
    ...problems.map(({ file, line, column, message }): Item => {
      return { indent: 2, text: `${file}:${line}:${column}: ${message}`, style: "yellow" };
    }),
    gap,
  ];
}

/** Sums everything up in a few lines at the end of the page, where a terminal shows them. */
function summaryLines(page: Page, look: Look): string[] {
  const { width, paint, isUnicode } = look;
  const [corner, side, foot, dash] = isUnicode ? ["\u250c", "\u2502", "\u2514", "\u2500"] : ["+", "|", "+", "-"];
  const rule = (start: string, text: string) =>
    start + text + dash.repeat(Math.max(2, Math.min(width, 80) - 1 - text.length));
  const inside = lay(summaryItems(page), { ...look, width: width - 2 });
  return [
    paint.bold(rule(corner, `${dash} ${page.plan} `)),
    ...inside.map((line) => `${paint.bold(side)} ${line}`),
    paint.bold(rule(foot, "")),
  ];
}

function summaryItems(page: Page): Item[] {
  const { tasks, waves, commands, estimate, cap, branch, unusual } = page;
  const count = `${plural(tasks.length, "task")} in ${plural(waves.length, "wave")}, ${plural(commands.length, "command")}`;
  return [
    fact("work", count),
    fact("time", timeText(estimate)),
    ...(estimate.time.pace === null ? [] : [fact("pace", paceText(estimate))]),
    fact("sessions", rangeText(estimate.sessions)),
    fact("cost", moneyText(estimate)),
    { ...fact("cap", capText(cap)), ...(isBounded(cap) ? {} : { style: "yellow" as const }) },
    fact("branch", branch),
    ...unusual.map((text): Item => ({ ...fact("note", text), style: "yellow" })),
  ];
}

function isBounded({ usd, tokens, unheld }: Page["cap"]): boolean {
  return (usd !== null || tokens !== null) && unheld === null;
}

function fact(name: string, text: string): Item {
  return { label: `${name}: `.padEnd(10), text };
}
