import type { RunEvent } from "../engine/events.ts";
import type { Report } from "../engine/session.ts";
import { isOver, type RunState } from "../engine/state.ts";
import { reportLimits } from "./limits.ts";
import { evidenceLines } from "./evidence.ts";
import { bounded, code, fenced, prose } from "./markdown.ts";

/** A task that could not be done as planned, with what its last attempt changed; null if it changed nothing. */
export interface Evidence {
  readonly task: string;
  readonly why: string;
  readonly work: { readonly text: string; readonly truncated: boolean } | null;
}

/** Writes what a planner sees of the tasks that need a revised plan: it must understand why they cannot be done. */
export function evidenceText(state: RunState, events: readonly RunEvent[], asking: readonly Evidence[]): string {
  const sections = bounded(asking, (one) => sectionOf(state, events, one), {
    charsMax: reportLimits.revisionEvidenceCharsMax,
    leftOut: (count) => `… and ${count} more tasks, left out for lack of space.`,
  });
  return `${["# What could not be done as planned", ...sections].join("\n\n")}\n`;
}

/** Lists the tasks that a revision must leave as they are, each with its commit. */
export function doneText({ tasks }: RunState): string {
  const lines = [...tasks.values()].flatMap(({ spec, phase, commit }) => {
    if (!isOver(phase) && commit === null) return [];
    const as = commit === null ? "its checks passed before any work" : `commit ${commit}`;
    return [`- ${code(spec.id)} ${prose(spec.title)}: ${as}`];
  });
  const none = "Nothing is done yet: every task may change.";
  return `${["# What is done", lines.length === 0 ? none : lines.join("\n")].join("\n\n")}\n`;
}

function sectionOf(state: RunState, events: readonly RunEvent[], { task, why, work }: Evidence): string {
  const title = state.tasks.get(task)?.spec.title ?? "";
  const attempts = events
    .filter((event) => "task" in event && event.task === task)
    .flatMap(attemptLines)
    .slice(-reportLimits.revisionAttemptsShownMax);
  const cut = work?.truncated === true ? ["The change is cut off; this is its beginning."] : [];
  const left =
    work === null ? [] : ["### What its last attempt changed", fenced(work.text.trimEnd().split("\n"), "diff"), ...cut];
  return [`## ${task}: ${prose(title)}`, prose(why), ...attempts, ...left].join("\n\n");
}

function attemptLines(event: RunEvent): string[] {
  if (event.type === "agent-finished") return event.report === null ? [] : reportLines(event.attempt, event.report);
  if (event.type !== "verdict" || event.result === "passed") return [];
  const evidence = evidenceLines(event);
  const shown = evidence.length === 0 ? "" : `\n\n${fenced(evidence)}`;
  return [`### Attempt ${event.attempt} failed\n\n${prose(event.why)}${shown}`];
}

/** What the agent says is a claim, and is presented as one. */
function reportLines(attempt: number, { status, summary, reason, notes }: Report): string[] {
  const words = [summary, reason, notes].filter((text) => text.trim() !== "");
  const said = words.flatMap((text) => text.trim().split("\n")).slice(0, reportLimits.reportEvidenceLinesMax);
  return said.length === 0 ? [] : [`### The agent of attempt ${attempt} says: ${status}\n\n${fenced(said)}`];
}
