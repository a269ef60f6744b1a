import type { RunState } from "../engine/state.ts";
import { costOf, summarise, type TaskSummary } from "../engine/summary.ts";
import { shellWord } from "../base/command-line.ts";
import { evidenceLines, proofOf } from "./evidence.ts";
import { handOver } from "./hand-over.ts";
import { historyOf, lastEvidence, type AttemptRecord, type TaskRecord } from "./history.ts";
import type {
  Entry,
  Facts,
  RunReport,
  ReportAttempt,
  ReportFinal,
  ReportJournal,
  ReportTask,
  ReportTime,
  Wait,
} from "./model.ts";
import { needsOf } from "./next-steps.ts";
import { replay, lengthOf, overlapOf, timesOf, without, type Part } from "./times.ts";
import { revisionsOf } from "./revisions.ts";
import { verdictOf } from "./verdict.ts";

/** Folds a journal into a report. The same journal always gives the same report. */
export function reportOf(entries: readonly Entry[], facts: Facts): RunReport {
  const times = timesOf(entries);
  const { state, waits } = replay(entries, times);
  if (state === undefined)
    throw new Error("Internal error: expected the journal of a started run, but it has not begun");
  const summary = summarise(state, facts.driven);
  const undriven = waits.flatMap(({ kind, from, to }) => (kind === "undriven" && to !== null ? [{ from, to }] : []));
  const context = { state, facts, history: historyOf(entries, times), end: times.at(-1) ?? 0, waits, undriven };
  const tasks = summary.tasks.map((task) => taskOf(task, context));
  const retired = retiredOf(context);
  const time = timeOf(entries, context, [...tasks, ...retired]);
  const { run, name, plan, reason, branch, tip, flaky, cost, cost_by_role: costByRole, budget } = summary;
  return {
    run,
    name,
    plan,
    title: state.title,
    goal: state.goal,
    state: summary.state,
    reason,
    verdict: verdictOf(state, summary, { wallMs: time.wallMs, mergedInto: facts.mergedInto }),
    needs: needsOf(state, summary, {
      mergedInto: facts.mergedInto,
      evidenceOf: (id) => lastEvidence(context.history.get(id)),
    }),
    approvals: approvalsIn(entries),
    base: state.base,
    branch,
    tip,
    settings: state.settings,
    tasks,
    asking: summary.questions.flatMap(({ task }) => task ?? []),
    retired,
    revisions: revisionsOf(entries),
    final: finalOf(entries, state),
    flaky,
    waits,
    time,
    cost,
    costByRole,
    budget,
    journal: journalOf(entries),
    handOver: handOver({ state, facts, tasks, retired }),
  };
}

interface Context {
  readonly state: RunState;
  readonly facts: Facts;
  readonly history: ReadonlyMap<string, TaskRecord>;
  readonly waits: readonly Wait[];
  /** Those of the waits in which no process drove the run. */
  readonly undriven: readonly Part[];
  /** When the journal ends. */
  readonly end: number;
}

function approvalsIn(entries: readonly Entry[]): RunReport["approvals"] {
  return entries.flatMap((entry) =>
    entry.type === "plan-approved" ? [{ at: entry.approvedAt, by: entry.by, planHash: entry.planHash }] : [],
  );
}

function taskOf({ id, title, state, reason, commit, cost }: TaskSummary, context: Context): ReportTask {
  const found = context.history.get(id);
  const { attempts = [], commits = [], notes = [], proof = null, before } = found ?? {};
  return {
    id,
    title,
    depends: context.state.tasks.get(id)?.spec.depends ?? [],
    state,
    reason,
    commit,
    commits,
    attempts: attemptsOf(id, attempts, context),
    checks: commit === null || proof === null ? [] : proofOf(proof.checks, before?.get(proof.base)),
    notes,
    cost,
  };
}

/** Lists the attempts at tasks that are no longer in the plan. */
function retiredOf(context: Context): RunReport["retired"] {
  const gone = [...context.history].filter(([id]) => !context.state.tasks.has(id));
  return gone.map(([id, { attempts }]) => ({ id, attempts: attemptsOf(id, attempts, context) }));
}

function attemptsOf(task: string, records: readonly AttemptRecord[], context: Context): ReportAttempt[] {
  return records.map((record, at) => attemptOf(task, concluded(record, at < records.length - 1), context));
}

/** An attempt without a verdict that is no longer running does not count. */
function concluded(record: AttemptRecord, isFollowed: boolean): AttemptRecord {
  const isOver = record.outcome === "under way" && (isFollowed || record.open === null);
  return isOver ? { ...record, outcome: "ended", why: "it ended without a verdict" } : record;
}

function attemptOf(task: string, record: AttemptRecord, { facts, undriven, end }: Context): ReportAttempt {
  const { attempt, role, agent, model, byHand, startedAt, outcome, why, open, isSaved, spent } = record;
  const running = open !== null && outcome === "under way" && end > open.from ? [{ ...open, to: end }] : [];
  const spans = [...record.spans, ...running].flatMap((span) =>
    span.kind === "by hand" ? [span] : without(span, undriven),
  );
  const isLost = isSaved && outcome !== "integrated" && outcome !== "under way";
  const ref = shellWord(facts.rescueRef({ task, attempt }));
  return {
    attempt,
    role,
    agent,
    model,
    byHand,
    startedAt,
    durationMs: lengthOf(spans),
    sessionMs: lengthOf(spans.filter(({ kind }) => kind === "session")),
    outcome,
    why,
    cost: spent === null ? null : costOf(spent),
    evidence: outcome === "integrated" || outcome === "under way" ? [] : evidenceLines(record),
    rescue: isLost ? `git fetch ${shellWord(facts.control)} ${ref}` : null,
    spans,
  };
}

function timeOf(entries: readonly Entry[], { waits, end }: Context, tasks: RunReport["retired"]): ReportTime {
  const attempts = tasks.flatMap((task) => task.attempts);
  const busy = attempts.flatMap(({ spans }): Part[] =>
    spans.filter(({ kind }) => kind !== "waiting" && kind !== "by hand"),
  );
  const { average, most } = overlapOf(busy);
  return {
    startedAt: entries[0]?.at ?? "",
    until: entries.at(-1)?.at ?? "",
    wallMs: end,
    waitedMs: lengthOf(waits.map(({ from, to }) => ({ from, to: to ?? end }))),
    agentMs: attempts.reduce((sum, { sessionMs }) => sum + sessionMs, 0),
    parallel: average,
    parallelMax: most,
  };
}

/** Returns the latest final verification, if it is still valid. */
function finalOf(entries: readonly Entry[], { finalVerified }: RunState): ReportFinal | null {
  const found = finalVerified === null ? undefined : entries.findLast((entry) => entry.type === "final-verified");
  if (found?.type !== "final-verified") return null;
  const { ok, tip, at, checks } = found;
  return { ok, tip, at, checks: proofOf(checks), evidence: evidenceLines({ guards: [], checks }) };
}

function journalOf(entries: readonly Entry[]): ReportJournal {
  return {
    events: entries.length,
    takeovers: entries.filter((entry) => entry.type === "resumed" && entry.why === "driver-started").length,
    repairs: entries.flatMap((entry) =>
      entry.type === "journal-repaired" ? [{ at: entry.at, bytes: entry.bytes, keptAt: entry.keptAt }] : [],
    ),
    ignoredCommands: entries.flatMap((entry) =>
      entry.type === "command-ignored" ? [`${entry.kind}: ${entry.why}`] : [],
    ),
  };
}
