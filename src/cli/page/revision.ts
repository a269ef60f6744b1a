import type { ProposalPage } from "../../host/proposal.ts";
import { gap, heading, lay, orNone, type Item, type Look } from "./layout.ts";
import { problemItem } from "./draft.ts";
import { changeItem, diffItem } from "./task-changes.ts";

/** The page of a revision: what asked for it, what becomes of which task, and every changed line. */
export function renderRevision(page: ProposalPage, look: Look): string[] {
  const { plan, run, revision, asked, unchanged } = page;
  return lay(
    [
      { text: `Revision ${revision} of plan ${plan}, proposed for run ${run}`, style: "bold" },
      gap,
      heading("Could not be done as planned:"),
      ...orNone(asked.map(({ task, why }): Item => ({ indent: 2, label: `${task}: `, text: why }))),
      gap,
      heading("Tasks:"),
      ...page.changes.map((change) => changeItem(change, change.title)),
      { indent: 2, text: `${unchanged} unchanged; what is done stays as it is`, ours: true },
      gap,
      heading("Every line that changes:"),
      ...page.difference.map(diffItem),
      gap,
      ...problemItems(page),
    ],
    look,
  );
}

function problemItems({ problems }: ProposalPage): Item[] {
  if (problems.length === 0) return [];
  return [heading("Problems that remain:"), ...problems.map(problemItem), gap];
}
