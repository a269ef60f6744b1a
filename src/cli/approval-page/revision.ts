import type { ProposalPage } from "../../run/revision/proposal.ts";
import { shapeOf } from "../../plan/shape.ts";
import type { Plan } from "../../plan/types.ts";
import { checkOf, tasksOf } from "./page.ts";
import type { PageCheck, PageTask } from "./model.ts";
import { taskItems } from "./tasks.ts";
import { gap, heading, lay, orNone, type Item, type Look } from "../text-layout.ts";
import { problemItem } from "./draft.ts";
import { changeItem, diffItem } from "./task-changes.ts";

/** A proposal, and everything its new and changed tasks may touch and run. */
export interface RevisionPage extends ProposalPage {
  readonly tasks: readonly PageTask[];
  /** These run on the final tip. */
  readonly plan_checks: readonly PageCheck[];
}

/** Adds to a proposal what its plan says. */
export function revisionPage(page: ProposalPage, plan: Plan): RevisionPage {
  const touched = new Set(page.changes.map(({ id }) => id));
  const tasks = tasksOf(plan.tasks, shapeOf(plan.tasks)).filter(({ id }) => touched.has(id));
  return { ...page, tasks, plan_checks: plan.checks.map(checkOf) };
}

/**
 * Shows why a revision was needed, what happens to which task, and every changed line. Whatever may be run or
 * touched comes last, next to the question: no length of prose can push it out of sight.
 */
export function renderRevision(page: RevisionPage, look: Look): string[] {
  const { plan, name, revision, asked, unchanged } = page;
  return lay(
    [
      { text: `Revision ${revision} of plan ${plan}, proposed for run ${name}`, style: "bold" },
      gap,
      heading("Could not be done as planned:"),
      ...orNone(asked.map(({ task, why }): Item => ({ indent: 2, label: `${task}: `, text: why }))),
      gap,
      heading("Tasks:"),
      ...page.changes.map((change) => changeItem(change, change.title)),
      { indent: 2, text: `${unchanged} unchanged; finished work stays as it is`, ours: true },
      gap,
      heading("All changed lines:"),
      ...page.difference.map(diffItem),
      gap,
      ...taskItems({ tasks: page.tasks, plan_checks: page.plan_checks }),
      ...problemItems(page),
    ],
    look,
  );
}

function problemItems({ problems }: ProposalPage): Item[] {
  if (problems.length === 0) return [];
  return [heading("Remaining problems:"), ...problems.map(problemItem), gap];
}
