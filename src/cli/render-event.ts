import { finishingHint } from "../engine/summary.ts";
import { runName } from "../engine/run-name.ts";
import type { CheckEvidence, Regression, GuardEvidence } from "../engine/evidence.ts";
import type { EventOf, RunEvent } from "../engine/events.ts";
import { money } from "../engine/budget.ts";
import { wordsOf } from "../engine/false-start.ts";
import { outcomeName } from "../engine/service-failure.ts";
import type { Outcome, ProgramFacts, Spending } from "../engine/session.ts";
import { afterSession } from "../engine/session-end.ts";
import type { RunState } from "../engine/state.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import { checksLimits } from "../checks/limits.ts";
import { changesInWords } from "../plan/diff.ts";
import { localTime } from "../base/local-time.ts";
import { readableLines } from "../base/readable.ts";
import { inOneLine, visibleLine } from "../base/visible.ts";
import { unreachable } from "../base/result.ts";
import { usageText } from "../report/render-cost.ts";
import { counted } from "../engine/tests-seen.ts";
import { cliLimits } from "./limits.ts";

/**
 * Renders an event as one line for people: local time, then what happened. All foreign text is neutralised. With the state
 * that the event led to, the line can say more.
 */
export function renderEvent(entry: RunEntry, state?: RunState): string {
  const time = new Date(entry.at).toTimeString().slice(0, 8);
  return `${time}  ${visibleLine(inOneLine(describe(entry, Date.parse(entry.at), state)))}`;
}

/** Renders an event for people, and below a verdict its evidence. */
export function renderWithEvidence(entry: RunEntry, state?: RunState): string[] {
  const line = renderEvent(entry, state);
  if (entry.type === "verdict") return [line, ...entry.guards.flatMap(guardLines), ...entry.checks.flatMap(checkLines)];
  const shown = (entry.type === "baseline" && entry.state === "broken") || entry.type === "final-verified";
  return shown ? [line, ...entry.checks.flatMap(checkLines)] : [line];
}

/** Quotes foreign lines below the event they explain. */
export function quoted(lines: readonly string[]): string[] {
  return lines.map((text) => visibleLine(`            | ${text}`));
}

/** Says how a session ended that did not end well, at a time. */
export function outcomeText(outcome: Exclude<Outcome, { kind: "ok" }>, at: number, program?: ProgramFacts): string {
  if (outcome.kind === "limit") return `usage limit${untilText(outcome.until, at)}`;
  const words = wordsOf(outcome.detail.trim(), program);
  const name = outcomeName(outcome);
  return words === "" ? name : `${name} (${words})`;
}

function untilText(until: string | null, at: number): string {
  return until === null ? "" : ` until ${localTime(until, at)}`;
}

function describe(event: RunEvent, at: number, state: RunState | undefined): string {
  switch (event.type) {
    case "plan-approved":
      return `plan ${event.plan} approved at ${localTime(event.approvedAt, at)} (${event.planHash.slice(0, 12)})`;
    case "run-started":
      return `run ${event.number === undefined ? `${event.run} of plan ${event.plan}` : runName(event)} started at ${event.base.slice(0, 12)}, branch ${event.branch}`;
    case "resumed":
      return resumption(event);
    case "journal-repaired":
      return `journal repaired: its incomplete last ${event.bytes} bytes were cut off and kept at ${event.keptAt}`;
    case "attempt-started":
      return `${of(event)} started on ${event.base.slice(0, 12)}`;
    case "baseline":
      return `${of(event)} ${event.state === "red" ? "" : `baseline ${event.state}: `}${event.why}`;
    case "agent-started":
      return `${of(event)} agent started (pid ${event.process.pid})`;
    case "agent-finished":
      return `${of(event)} ${[...sessionEnd(event, at, state), usageText(event.usage)].filter(Boolean).join("; ")}`;
    case "work-rescued":
      return `${of(event)} ${event.commit === null ? "nothing to save" : `work saved as ${event.ref} in stint/control.git`}`;
    case "work-lost":
      return `${of(event)} workspace is gone: ${event.path}`;
    case "candidate-made":
      return `${of(event)} candidate ${event.commit.slice(0, 12)}: ${named(event.paths, event.pathCount)}`;
    case "checks-passed":
      return `${of(event)} ${checksText(event.checks)}; asking a judge next`;
    case "judge-started":
      return `${of(event)} asking a judge (pid ${event.process.pid}): ${event.question}`;
    case "judged":
      return `${of(event)} ${[judgeWord(event, at), usageText(event.usage)].filter(Boolean).join("; ")}`;
    case "verdict":
      return event.result === "passed"
        ? `${of(event)} verified: ${checksText(event.checks)}`
        : `${of(event)} ${event.result === "conflict" ? conflictWith(event.with ?? []) : "rejected"}: ${event.why}`;
    case "integrating":
      return `${of(event)} integrating ${event.old.slice(0, 12)} -> ${event.new.slice(0, 12)}`;
    case "task-integrated":
      return `${of(event)} integrated as ${event.commit.slice(0, 12)}`;
    case "replan-requested":
      return `${of(event)} needs a revised plan: ${event.why}`;
    case "task-blocked":
      return `${of(event)} BLOCKED: ${event.why}${event.kind === "reported-blocked" ? ` Answer with \`stint answer ${event.task} "…"\`` : ""}`;
    case "task-requeued":
      return `${event.task} requeued`;
    case "question":
      return `${of(event)} asks: ${event.question} Answer with \`stint answer ${event.id} ${event.options.join("|")}\``;
    case "answered":
      return `${event.id} answered: ${event.answer}`;
    case "scope-decided":
      return `${of(event)} ${scopeText(event)}: ${event.why}`;
    case "placed":
      return `${of(event)} being verified on top of ${event.tip.slice(0, 12)}`;
    case "task-taken":
      return `${event.task} taken by hand`;
    case "workspace-given":
      return `${of(event)} is yours: ${event.path}`;
    case "task-submitted":
      return `${of(event)} submitted`;
    case "task-reopened":
      return `${event.task} reopened to fix what it broke: ${event.regressions.map((one) => one.label).join("; ")}`;
    case "pausing":
      return `pausing: ${finishingHint(event.finishing.length, state && runName(state))}`;
    case "paused":
      return pausedText(state);
    case "command-ignored":
      return `${event.kind} ignored: ${event.why}`;
    case "pushed":
      return `${event.branch} pushed to ${event.remote}`;
    case "push-failed":
      return `${event.branch} not pushed to ${event.remote} (${event.tries === 1 ? "tried once" : `tried ${event.tries} times`}): ${event.why}`;
    case "bisected":
      return `traced failing checks: ${event.regressions.map(traced).join("; ")}`;
    case "published":
      return `branch ${event.branch} is at ${event.commit.slice(0, 12)}`;
    case "publish-deferred":
      return `branch ${event.branch} not moved: ${event.why}`;
    case "parked":
      return `waiting (${event.reason}${untilText(event.until, at)}): ${event.why}`;
    case "stopped":
      return `stopped: ${event.why}`;
    case "final-verified":
      return `final tip ${event.tip.slice(0, 12)} ${event.ok ? "verified" : "FAILED"}: ${checksText(event.checks)}`;
    case "replan-started":
      return `asking a planner for revision ${event.revision} of the plan, because of ${event.tasks.join(", ")}`;
    case "replan-proposed":
      return `revision ${event.revision} proposed: ${changesInWords(event.changes)}${usageNote(event.usage)}`;
    case "replan-failed":
      return `replanning failed (revision ${event.revision}): ${event.why}${usageNote(event.usage)}`;
    case "revision-accepted":
      return `revision ${event.revision} accepted by ${event.by ?? "the settings"}: ${changesInWords(event.changes)}`;
    case "plan-revised":
      return `revision ${event.revision} of the plan is in effect: ${changesInWords(event.changes)}`;
    case "revision-dropped":
      return `revision ${event.revision} dropped: ${event.why}`;
    case "cap-raised":
      return `cap raised to ${money(event.budgetUsd)} USD`;
    case "run-finished":
      return `run finished: ${event.outcome}`;
    default:
      return unreachable(event);
  }
}

function resumption({ why, pid }: EventOf<"resumed">): string {
  if (why === "wait-over") return "wait is over";
  return why === "asked" ? "resumed" : `resumed (pid ${pid})`;
}

function of({ task, attempt }: { readonly task: string | null; readonly attempt: number }): string {
  return task === null ? "final tip" : `${task} #${attempt}`;
}

function judgeWord({ judgement, outcome, problem, program }: EventOf<"judged">, at: number): string {
  if (judgement !== null)
    return `judge ${judgement.pass ? "accepted" : "rejected"} it: ${judgement.why || "no reason given"}`;
  return `no judgement: ${outcome.kind === "ok" ? (problem ?? "the judge left none") : outcomeText(outcome, at, program)}`;
}

function scopeText({ granted, files }: EventOf<"scope-decided">): string {
  if (files.length === 0) return "gets no additional files";
  return `${granted ? "may also touch" : "may not touch"} ${files.join(", ")}`;
}

function conflictWith(tasks: readonly string[]): string {
  return tasks.length === 0 ? "conflicts" : `conflicts with ${named(tasks, tasks.length)}`;
}

function named(paths: readonly string[], count: number): string {
  const shown = paths.slice(0, checksLimits.pathsNamedMax);
  return shown.join(", ") + (count > shown.length ? ` and ${count - shown.length} more` : "");
}

function traced({ label, task, why }: Regression): string {
  return `${label}, ${task === null ? "not caused by a known task" : `caused by ${task}`} (${why})`;
}

function checksText(checks: readonly CheckEvidence[]): string {
  const green = checks.filter((check) => check.state === "green").length;
  const known = checks.filter((check) => check.cached === true).length;
  const flaky = checks.filter((check) => check.flaky === true).map((check) => check.label);
  const excused = checks.filter((check) => check.excused === true).map((check) => check.label);
  const notes = [
    ...(known === 0 ? [] : [`${known} reused: same tree`]),
    ...(flaky.length === 0 ? [] : [`flaky: ${flaky.join("; ")}`]),
    ...(excused.length === 0 ? [] : [`also failing without this work: ${excused.join("; ")}`]),
  ];
  return `${green} of ${checks.length} checks passed${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

function usageNote(usage: Spending): string {
  const text = usageText(usage);
  return text === "" ? "" : `; ${text}`;
}

/** Names the run, because another one may be unfinished, too. */
function pausedText(state: RunState | undefined): string {
  const [run, ofRun] = state === undefined ? ["", ""] : [` ${runName(state)}`, ` --run ${runName(state)}`];
  return `paused: \`stint resume${run}\` in any terminal resumes it, \`stint stop${ofRun}\` ends it`;
}

/** A session that does not count as an attempt may have cost money all the same, which follows. */
function sessionEnd(event: EventOf<"agent-finished">, at: number, state: RunState | undefined): string[] {
  const { task, outcome, report, reportProblem, program } = event;
  // Whether it was a false start depends on the sessions before it.
  const isFalseStart = state?.tasks.get(task)?.attempt?.isFalseStart ?? false;
  const isCounted = afterSession({ outcome, report, isFalseStart }).kind !== "free";
  if (outcome.kind !== "ok")
    return [`agent stopped: ${outcomeText(outcome, at, program)}`, ...(isCounted ? [] : ["not counted as an attempt"])];
  if (report !== null) return [`agent finished and says ${claims[report.status]}`];
  const problem = reportProblem === null ? "without a report" : `with an unreadable report: ${reportProblem}`;
  return [`agent finished ${problem}`];
}

/** What an agent says at its end is a claim, and is printed as one. */
const claims = {
  done: "it is done (not verified yet)",
  blocked: "it is blocked",
  infeasible: "the task is infeasible",
} as const;

function guardLines({ guard, path, why, evidence = "" }: GuardEvidence): string[] {
  const head = visibleLine(`          ${inOneLine(`${guard}: ${path} ${why}`)}`);
  return evidence === "" ? [head] : [head, ...quoted(evidence.split("\n"))];
}

function checkLines(check: CheckEvidence): string[] {
  const { label, why, tail, tests, proof } = check;
  const details = [why, tests === undefined ? (proof ?? "") : counted(tests)].filter(Boolean).join("; ");
  const says = `${stateText(check)}: ${label}${details === "" ? "" : ` (${details})`}`;
  const head = visibleLine(`          ${inOneLine(says)}`);
  if (check.state === "green" && check.flaky !== true) return [head];
  return [head, ...quoted(readableLines(tail).slice(-cliLimits.checkLinesShownMax))];
}

/** Says the state of a check, and whether it was flaky, not run again, failing without this work, or belongs to another task. */
function stateText({ state, flaky, cached, excused, of }: CheckEvidence): string {
  const seen = flaky === true ? `${state}, but flaky` : state;
  return [
    seen,
    ...(cached === true ? ["reused: same tree"] : []),
    ...(excused === true ? ["also without this work"] : []),
    ...(of === undefined ? [] : [`a check of ${of}`]),
  ].join(", ");
}
