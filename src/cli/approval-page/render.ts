import { agentItems } from "./agents.ts";
import { estimateItems } from "./estimate.ts";
import { gap, heading, lay, type Item, type Look } from "../text-layout.ts";
import type { Page } from "./model.ts";
import { decisionItems, inputItems, placeItems, prerequisiteItems, proposedRulesItems } from "./surroundings.ts";
import { summaryLines } from "./summary.ts";
import { diffItem } from "./task-changes.ts";
import { taskItems } from "./tasks.ts";
import { waveItems } from "./waves.ts";

/** The page for people. Nothing that may run or be touched is cut; what a reader could not see is made visible. */
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
  return [{ text: `Changed since the approval of ${approved.at}:`, style: "bold" }, ...difference.map(diffItem), gap];
}

/** What lint has to say; errors never get as far as this page. */
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
