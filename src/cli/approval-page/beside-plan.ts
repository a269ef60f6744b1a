import { gap, heading, type Item } from "../text-layout.ts";
import type { Page } from "./page.ts";
import { diffItem } from "./task-changes.ts";

/** What was handed in with the goal, by name and size: its bytes are approved, and need not be read here. */
export function inputItems({ inputs }: Page): Item[] {
  if (inputs.length === 0) return [];
  return [
    heading("Inputs (handed in with the goal, approved as they are):"),
    ...inputs.map(({ path, bytes }): Item => ({ indent: 2, text: `${path} (${bytes} bytes)` })),
    gap,
  ];
}

/** Rules that a planner would like, next to the way to get them. */
export function proposedRulesItems({ proposed_rules }: Page): Item[] {
  if (proposed_rules === null) return [];
  const { file, difference, take_over } = proposed_rules;
  return [
    heading("Proposed rules, not in force (approving does not change .stint/rules.md):"),
    { indent: 2, text: `${file} against .stint/rules.md:` },
    ...difference.map((text) => ({ ...diffItem(text), indent: 2 })),
    { indent: 2, label: "To take them over: ", text: take_over },
    gap,
  ];
}
