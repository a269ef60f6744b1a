import { reportLimits } from "./limits.ts";
import { durationText } from "./duration.ts";
import { bounded, code, fenced, prose } from "./markdown.ts";
import type { RunReport, ReportAttempt, ReportTask } from "./model.ts";
import { costText, isNothing } from "./render-cost.ts";
import { outcomeText } from "./timeline.ts";

/** For each task that has started: what proves it, who tried it and why attempts failed. */
export function renderDetails({ tasks }: RunReport): readonly string[] {
  const begun = tasks.filter(({ attempts, notes }) => attempts.length > 0 || notes.length > 0);
  if (begun.length === 0) return [];
  // What went wrong is looked for first, and must not be what is left out of a long report.
  const sorted = begun.toSorted((a, b) => Number(b.state !== "integrated") - Number(a.state !== "integrated"));
  const leftOut = (count: number) => `Details of ${count} more tasks are left out: \`stint log <task>\` shows them.`;
  const charsMax = reportLimits.reportCharsMax * 0.3;
  return ["## Task by task", ...bounded(sorted, (task) => taskBlock(task).join("\n\n"), { charsMax, leftOut })];
}

function taskBlock(task: ReportTask): string[] {
  const { id, title, state, reason, commits, checks, notes, cost, attempts } = task;
  const lines = [
    `- State: ${state}${reason === null ? "" : `: ${prose(reason)}`}`,
    ...commits.map((commit) => `- Commit: ${code(`git show ${commit}`)}`),
    ...(isNothing(cost) ? [] : [`- Cost: ${prose(costText(cost))}`]),
    ...checks.map(({ label, words }) => `- Proof: ${code(label)}: ${prose(words)}`),
    ...notes.map((note) => `- Note: ${prose(note)}`),
  ];
  return [`### ${code(id)}: ${prose(title)}`, lines.join("\n"), ...attempts.flatMap(attemptBlocks)];
}

function attemptBlocks(attempt: ReportAttempt): string[] {
  const { outcome, why, evidence, durationMs, sessionMs, rescue } = attempt;
  const session = sessionMs === 0 ? "" : `, agent ${durationText(sessionMs)}`;
  const cause = why === "" ? "" : `: ${prose(why)}`;
  const saved = rescue === null ? [] : [`  Saved: ${code(rescue)}`];
  const head = `- Attempt ${attempt.attempt} (${whoOf(attempt)}, ${durationText(durationMs)}${session}): **${outcomeText(outcome)}**${cause}`;
  return [[head, ...saved].join("\\\n"), ...(evidence.length === 0 ? [] : [fenced(evidence)])];
}

function whoOf({ role, agent, model, byHand }: ReportAttempt): string {
  if (byHand) return "by hand";
  const by = [agent, model].filter((name) => name !== null).map((name) => prose(name, reportLimits.reportCellCharsMax));
  return by.length === 0 ? role : `${role}: ${by.join(", ")}`;
}
