import { plural } from "../../base/plural.ts";
import { capText, moneyText, paceText, rangeText, timeText } from "./estimate.ts";
import type { Item, Look } from "../text-layout.ts";
import { lay } from "../text-layout.ts";
import type { Page } from "./model.ts";

/** The end of the page, which a terminal shows: everything in a few lines. */
export function summaryLines(page: Page, look: Look): string[] {
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
