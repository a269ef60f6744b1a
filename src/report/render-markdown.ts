import { reportLimits } from "./limits.ts";
import { durationText } from "../base/duration.ts";
import { localStamp } from "../base/local-time.ts";
import { isUncounted } from "./history.ts";
import { markOf } from "./marks.ts";
import { bounded, code, fenced, prose, row } from "./markdown.ts";
import type { HandOver, Need, RunReport, ReportCheck, ReportTask, Wait, ReportAttempt } from "./model.ts";
import { money } from "../engine/budget.ts";
import { costText, isNothing, renderCaps } from "./render-cost.ts";
import { renderRevisions } from "./revisions.ts";
import { outcomeText, timelineFile } from "./render-timeline.ts";
import { notRunning } from "./times.ts";

/** Writes the report that a person reads in the morning: the verdict, what needs them, the tasks, then everything else. */
export function renderMarkdown(report: RunReport): string {
  const parts = [
    `# ${prose(report.title)}`,
    prose(report.verdict),
    ...needs(report),
    ...tasks(report),
    ...asked(report),
    ...renderRevisions(report),
    ...timeAndCost(report),
    ...finalChecks(report),
    ...waits(report),
    ...details(report),
    ...journal(report),
    ...handOver(report),
  ];
  return `${parts.join("\n\n")}\n`;
}

function needs({ needs: all }: RunReport): string[] {
  if (all.length === 0) return [];
  const leftOut = (count: number) => `…and ${count} more: \`stint status\` shows them.`;
  const shown = bounded(all, (need) => needBlock(need).join("\n\n"), { charsMax: share.needs, leftOut });
  return ["## What needs you", ...shown];
}

function needBlock({ says, how, commands, evidence }: Need): string[] {
  // Our own sentences have commands in backticks, which are to be rendered as code.
  if (commands.length === 0) return [`- ${ownWords(says)}`];
  const why = evidence.length === 0 ? [] : [fenced(evidence)];
  return [`- ${prose(says)}${how === "" ? "" : ` ${how}`}`, ...why, fenced(commands, "sh")];
}

/** Renders a sentence of ours: what is between backticks is code, the rest prose. */
function ownWords(sentence: string): string {
  return sentence
    .split("`")
    .map((part, at) =>
      part === ""
        ? ""
        : at % 2 === 1
          ? code(part)
          : `${/^\s/.test(part) ? " " : ""}${prose(part)}${/\s$/.test(part) ? " " : ""}`,
    )
    .join("");
}

function tasks({ tasks: all, asking }: RunReport): string[] {
  const head = [
    row(["", "task", "title", "commit", "attempts", "time", "cost"]),
    row(Array.from({ length: 7 }, () => "---")),
  ];
  const leftOut = (count: number) => row(["", `…and ${count} more`, "", "", "", "", ""]);
  const rows = bounded(all, (task) => taskRow(task, asking), { charsMax: share.table, leftOut });
  return ["## Tasks", [...head, ...rows].join("\n"), marksText];
}

const marksText =
  "✓ verified and integrated · = passed before any work, nothing proven · ! blocked · ? has a question · h taken by hand · > in progress · ~ being verified";

function taskRow(task: ReportTask, asking: RunReport["asking"]): string {
  const { id, title, state, commit, attempts, reason, cost } = task;
  const ms = attempts.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const why = state === "integrated" || reason === null ? "" : `: ${reason}`;
  return row([
    markOf({ id, state }, asking),
    code(id),
    prose(`${title}${why}`, reportLimits.reportCellCharsMax),
    commit === null ? "" : code(commit.slice(0, 12)),
    attemptsCell(attempts),
    attempts.length === 0 ? "" : durationText(ms),
    isNothing(cost) ? "" : prose(costText(cost), reportLimits.reportCellCharsMax),
  ]);
}

function attemptsCell(attempts: readonly ReportAttempt[]): string {
  const free = attempts.filter(({ outcome }) => isUncounted(outcome)).length;
  return free === 0 ? `${attempts.length}` : `${attempts.length - free}, ${free} not counted`;
}

function asked({ run, name, plan, goal, approvals, base, branch, tip, settings }: RunReport): string[] {
  const { parallel, attempts, escalateAfter, only } = settings;
  const lines = [
    `- Plan ${code(plan)}, run ${code(name)}${name === run ? "" : ` (${code(run)})`}${goal === "" ? "" : `. Goal: ${prose(goal)}`}`,
    ...approvals.map(
      ({ at, by, planHash }) =>
        `- Approved ${code(localStamp(at))} by ${prose(by)}, hash ${code(planHash.slice(0, 12))}`,
    ),
    `- Base ${code(base.slice(0, 12))}, branch ${code(branch)}, now at ${code(tip.slice(0, 12))}`,
    `- ${parallel === 1 ? "One task at a time" : `Up to ${parallel} in parallel`}, ${attempts === 1 ? "one attempt" : `${attempts} attempts`} per task, escalation after ${escalateAfter}`,
    ...(only === null || only.length === 0 ? [] : [`- Only these tasks: ${prose(only.join(", "))}`]),
  ];
  return ["## What was run", lines.join("\n")];
}

function timeAndCost({ time, cost, costByRole, budget, flaky }: RunReport): string[] {
  const roles = Object.entries(costByRole).filter(([, spent]) => !isNothing(spent));
  const caps = renderCaps(budget);
  const lines = [
    `- From ${code(localStamp(time.startedAt))} to ${code(localStamp(time.until))}: ${durationText(time.wallMs)}${time.waitedMs === 0 ? "" : `, of which ${durationText(time.waitedMs)} waiting`}`,
    `- Agents worked for ${durationText(time.agentMs)} in total${atOnce(time)}`,
    `- Cost: ${isNothing(cost) ? "not reported" : prose(costText(cost))}${caps === "" ? "" : ` (${caps})`}`,
    ...(roles.length < 2 ? [] : roles.map(([role, spent]) => `  - ${role}: ${prose(costText(spent))}`)),
    ...flaky.map((label) => `- Flaky: ${code(label)} was red and green on the same tree, so it proves little`),
  ];
  return ["## Time and cost", lines.join("\n"), `![Attempts over time](${timelineFile})`];
}

function atOnce({ parallel, parallelMax }: RunReport["time"]): string {
  if (parallel === 0) return "";
  return `; average concurrency ${parallel.toFixed(1)} (peak ${parallelMax})`;
}

function finalChecks({ final }: RunReport): string[] {
  if (final === null) return [];
  const { ok, tip, checks, evidence } = final;
  const says = `On the final tip ${code(tip.slice(0, 12))} all checks were run together: ${ok ? "passed" : "**failed**"}.`;
  const say = ({ label, words }: ReportCheck) => `- ${code(label)}: ${prose(words)}`;
  const shown = bounded(checks, say, { charsMax: share.final, leftOut: andMore });
  return [
    "## Final verification",
    says,
    ...(shown.length === 0 ? [] : [shown.join("\n")]),
    ...(evidence.length === 0 ? [] : [fenced(evidence)]),
  ];
}

function waits({ waits, time }: RunReport): string[] {
  const all = waits.filter(isWorthMentioning);
  if (all.length === 0) return [];
  const from = Date.parse(time.startedAt);
  const say = (wait: Wait) => {
    const lasted = durationText((wait.to ?? time.wallMs) - wait.from);
    const when = localStamp(new Date(from + wait.from).toISOString());
    const kind = wait.kind === "undriven" || wait.why.startsWith(wait.kind) ? "" : `${wait.kind}: `;
    return `- ${code(when)} ${wait.to === null ? "and since" : lasted}: ${kind}${prose(wait.why)}`;
  };
  return ["## Waits", bounded(all, say, { charsMax: share.waits, leftOut: andMore }).join("\n")];
}

/** A run has no process for a moment between two commands of a person, which is not worth mentioning; a death always is. */
function isWorthMentioning({ why, from, to }: Wait): boolean {
  return why !== notRunning || to === null || to - from >= 1000;
}

/** Says what proves each task that has started, who tried it and why attempts failed. */
function details({ tasks }: RunReport): string[] {
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
  const { outcome, why, evidence, durationMs, sessionMs, rescue, cost } = attempt;
  const spent = cost === null || cost.usd === 0 ? "" : `, ${money(cost.usd)} USD`;
  const session = sessionMs === 0 ? "" : `, agent ${durationText(sessionMs)}${spent}`;
  const free = isUncounted(outcome) ? ", not counted as an attempt" : "";
  const cause = why === "" ? "" : `: ${prose(why)}`;
  const saved = rescue === null ? [] : [`  Saved: ${code(rescue)}`];
  const head = `- Attempt ${attempt.attempt} (${whoOf(attempt)}, ${durationText(durationMs)}${session}): **${outcomeText(outcome)}**${free}${cause}`;
  return [[head, ...saved].join("\\\n"), ...(evidence.length === 0 ? [] : [fenced(evidence)])];
}

function whoOf({ role, agent, model, byHand }: ReportAttempt): string {
  if (byHand) return "by hand";
  const by = [agent, model].filter((name) => name !== null).map((name) => prose(name, reportLimits.reportCellCharsMax));
  return by.length === 0 ? role : `${role}: ${by.join(", ")}`;
}

function journal({ journal: { events, takeovers, repairs, ignoredCommands } }: RunReport): string[] {
  const lines = [
    `- ${events} events; ${takeovers === 0 ? "run by one process" : `resumed ${takeovers === 1 ? "once" : `${takeovers} times`}`}`,
    ...repairs.map(
      ({ at, bytes, keptAt }) =>
        `- ${code(localStamp(at))}: its incomplete last ${bytes} bytes were cut off and kept at ${code(keptAt)}`,
    ),
    ...ignoredCommands.map((ignored) => `- A command was ignored: ${prose(ignored)}`),
  ];
  return ["## The journal", bounded(lines, (line) => line, { charsMax: share.journal, leftOut: andMore }).join("\n")];
}

const headings: Record<HandOver["about"], string> = {
  look: "Inspect",
  merge: "Merge",
  sign: "Sign",
  undo: "Undo",
  rescued: "Work that did not land",
  "clean up": "Clean up",
};

function handOver({ handOver: all }: RunReport): string[] {
  const groups = Object.entries(headings).flatMap(([about, heading]) => {
    const steps = all.filter((step) => step.about === about);
    const say = ({ says, command }: HandOver) => [prose(says), fenced([command], "sh")].join("\n\n");
    const leftOut = (count: number) => `…and ${count} more: \`stint log\` lists them.`;
    const shown = bounded(steps, say, { charsMax: share.handOver, leftOut });
    return steps.length === 0 ? [] : [`### ${heading}`, ...shown];
  });
  return ["## Commands", "Run these in the root of your checkout.", ...groups];
}

function andMore(count: number): string {
  return `- …and ${count} more`;
}

const share = {
  needs: reportLimits.reportCharsMax * 0.1,
  table: reportLimits.reportCharsMax * 0.4,
  final: reportLimits.reportCharsMax * 0.03,
  waits: reportLimits.reportCharsMax * 0.03,
  journal: reportLimits.reportCharsMax * 0.03,
  handOver: reportLimits.reportCharsMax * 0.02,
};
