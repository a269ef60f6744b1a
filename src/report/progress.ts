import { localStamp } from "../base/local-time.ts";
import { reasonHere, summarise, type TaskSummary } from "../engine/summary.ts";
import type { RunState } from "../engine/state.ts";
import { reportLimits } from "./limits.ts";
import { code, prose } from "./markdown.ts";

/** Writes the state of a run in progress as Markdown, with one line for each task. */
export function renderProgress(state: RunState, at: string): string {
  const summary = summarise(state, true);
  const { name, plan, tasks, state: standing, branch } = summary;
  const reason = reasonHere(summary);
  const done = tasks.filter((task) => task.state === "integrated").length;
  const blocked = tasks.filter((task) => task.state === "blocked").length;
  const counts = [
    `${done} of ${tasks.length} tasks on ${code(branch)}`,
    ...(blocked === 0 ? [] : [`${blocked} blocked`]),
  ];
  return [
    `# ${prose(state.title)}`,
    "",
    `Plan ${code(plan)}, run ${code(name)}, ${code(localStamp(at))}: ${standing}${reason === null ? "" : `: ${prose(reason)}`}`,
    "",
    `${counts.join(", ")}.`,
    "",
    ...tasks.map(taskLine),
    "",
  ].join("\n");
}

function taskLine({ id, title, state, commit, reason }: TaskSummary): string {
  const box = state === "integrated" ? "[x]" : "[ ]";
  const what = state === "integrated" ? code(commit?.slice(0, 12) ?? "") : standsAs(state, reason);
  return `- ${box} ${code(id)} ${prose(title, reportLimits.reportCellCharsMax)}${what === "" ? "" : `: ${what}`}`;
}

function standsAs(state: TaskSummary["state"], reason: string | null): string {
  const mark = state === "blocked" ? "**blocked**" : state === "pending" ? "" : state;
  const why = reason === null ? "" : prose(reason, reportLimits.reportCellCharsMax);
  return [mark, why].filter((part) => part !== "").join(": ");
}
