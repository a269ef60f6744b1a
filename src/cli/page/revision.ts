import type { ProposalPage } from "../../host/proposal.ts";
import { gap, heading, lay, orNone, type Item, type Look } from "./layout.ts";

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
      ...page.changes.map(changeItem),
      { indent: 2, text: `${unchanged} unchanged; what is done stays as it is`, ours: true },
      gap,
      heading("Every line that changes:"),
      ...page.difference.map(lineItem),
      gap,
      ...problemItems(page),
    ],
    look,
  );
}

const marks = { added: "+ ", changed: "~ ", removed: "- " } as const;
const styles = { added: "green", changed: "yellow", removed: "red" } as const;

function changeItem({ id, change, title }: ProposalPage["changes"][number]): Item {
  return { indent: 2, label: `${marks[change]}${id} ${change}: `, text: title, style: styles[change], styled: "label" };
}

function lineItem(text: string): Item {
  const style = text.startsWith("+") ? "green" : text.startsWith("-") ? "red" : undefined;
  return style === undefined ? { text } : { text, style };
}

function problemItems({ problems }: ProposalPage): Item[] {
  if (problems.length === 0) return [];
  const items = problems.map(({ file, line, severity, message }): Item => {
    return { indent: 2, text: `${file}:${line}: ${severity}: ${message}`, style: "yellow" };
  });
  return [heading("Problems that remain:"), ...items, gap];
}
