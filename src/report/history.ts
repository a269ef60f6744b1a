import type { CheckEvidence, GuardEvidence } from "../engine/evidence.ts";
import type { EventType } from "../engine/events.ts";
import { wordsOf } from "../engine/false-start.ts";
import { outcomeName } from "../engine/service-failure.ts";
import type { Outcome, ProgramFacts, Spending } from "../engine/session.ts";
import type { RunState } from "../engine/state.ts";
import { spendingOf } from "../engine/spending.ts";
import type { Role } from "../plan/types.ts";
import { evidenceLines } from "./evidence.ts";
import type { AttemptOutcome, Entry, Span, SpanKind } from "./model.ts";

/** What the journal says about one attempt; the fold below fills it in. */
export interface AttemptRecord {
  readonly attempt: number;
  readonly role: Role;
  readonly base: string;
  readonly startedAt: string;
  agent: string | null;
  model: string | null;
  byHand: boolean;
  outcome: AttemptOutcome;
  why: string;
  guards: readonly GuardEvidence[];
  checks: readonly CheckEvidence[];
  /** What its session used; null before that is known. */
  spent: Spending | null;
  /** Whether its work was saved. */
  isSaved: boolean;
  readonly spans: Span[];
  /** What it is doing now. */
  open: { readonly kind: SpanKind; readonly from: number } | null;
}

/** What the journal says about one task. */
export interface TaskRecord {
  readonly attempts: AttemptRecord[];
  readonly commits: string[];
  readonly notes: string[];
  /** Its checks before any work, by the commit they were asked on. */
  readonly before: Map<string, readonly CheckEvidence[]>;
  proof: { readonly base: string; readonly checks: readonly CheckEvidence[] } | null;
}

/** Collects what happened to each task, by its id. */
export function historyOf(entries: readonly Entry[], times: readonly number[]): Map<string, TaskRecord> {
  const tasks = new Map<string, TaskRecord>();
  const asked = new Map<string, string>();
  for (const [index, entry] of entries.entries()) {
    if (entry.type === "run-started" || entry.type === "plan-revised")
      for (const { id } of entry.tasks) if (!tasks.has(id)) tasks.set(id, newTask());
    // Of a long run, a reader may have only the events of what is not over.
    if (entry.type === "attempt-started" && !tasks.has(entry.task)) tasks.set(entry.task, newTask());
    if (entry.type === "question") asked.set(entry.id, entry.task);
    const id = entry.type === "answered" ? (asked.get(entry.id) ?? entry.id) : "task" in entry ? entry.task : null;
    const task = id === null ? undefined : tasks.get(id);
    if (task !== undefined) take(task, entry, times[index] ?? 0);
  }
  return tasks;
}

/** Says in lines why the latest attempt at a task did not succeed, with the end of what its red checks printed. */
export function lastEvidence(task: TaskRecord | undefined): string[] {
  const last = task?.attempts.findLast(({ outcome }) => !isUncounted(outcome));
  return last === undefined || last.outcome === "integrated" ? [] : evidenceLines(last);
}

/** Says in lines why the final checks failed on the tip of a run, with the end of what they printed. */
export function finalEvidence({ finalVerified, tip }: Pick<RunState, "finalVerified" | "tip">): string[] {
  if (finalVerified === null || finalVerified.ok || finalVerified.tip !== tip) return [];
  return evidenceLines({ guards: [], checks: finalVerified.checks });
}

/** Whether an attempt that ended like this does not count as one. */
export function isUncounted(outcome: AttemptOutcome): boolean {
  return outcome === "ended" || outcome === "conflict";
}

function newTask(): TaskRecord {
  return { attempts: [], commits: [], notes: [], before: new Map(), proof: null };
}

function take(task: TaskRecord, entry: Entry, at: number) {
  if (entry.type === "attempt-started") {
    const { attempt, role, base, at: startedAt } = entry;
    const none = {
      agent: null,
      model: null,
      byHand: false,
      guards: [],
      checks: [],
      spent: null,
      isSaved: false,
      spans: [],
    };
    const open = { kind: "preparing", from: at } as const;
    task.attempts.push({ attempt, role, base, startedAt, ...none, outcome: "under way", why: "", open });
    return;
  }
  note(task, entry);
  const attempt = "attempt" in entry ? task.attempts.findLast((one) => one.attempt === entry.attempt) : undefined;
  if (attempt === undefined) return;
  conclude(task, attempt, entry);
  const next = attempt.byHand && entry.type === "verdict" ? "by hand" : doingAfter[entry.type];
  if (next === null) return;
  if (attempt.open?.kind === next) return;
  if (attempt.open !== null && at > attempt.open.from) attempt.spans.push({ ...attempt.open, to: at });
  attempt.open = next === "over" ? null : { kind: next, from: at };
}

/** What is done for an attempt after an event of its own; null where that does not change. */
const doingAfter: Record<EventType, SpanKind | "over" | null> = {
  "attempt-started": "preparing",
  baseline: "preparing",
  "agent-started": "session",
  "workspace-given": "by hand",
  "agent-finished": "waiting",
  "task-submitted": "waiting",
  "candidate-made": "waiting",
  question: "waiting",
  "scope-decided": "waiting",
  placed: "verification",
  "checks-passed": "verification",
  "judge-started": "verification",
  judged: "verification",
  verdict: "waiting",
  integrating: "waiting",
  "work-rescued": "over",
  "work-lost": "over",
  "task-integrated": "over",
  "replan-requested": "over",
  "task-blocked": "over",
  "plan-approved": null,
  "run-started": null,
  resumed: null,
  "journal-repaired": null,
  answered: null,
  "task-requeued": null,
  "task-taken": null,
  pausing: null,
  paused: null,
  "command-ignored": null,
  published: null,
  "publish-deferred": null,
  pushed: null,
  "push-failed": null,
  parked: null,
  stopped: null,
  "final-verified": null,
  bisected: null,
  "task-reopened": null,
  "replan-started": null,
  "replan-proposed": null,
  "replan-failed": null,
  "revision-accepted": null,
  "plan-revised": null,
  "revision-dropped": null,
  "cap-raised": null,
  "run-finished": null,
};

/** Notes what people and settings did about a task. */
function note({ notes }: TaskRecord, entry: Entry) {
  if (entry.type === "answered") notes.push(`a person answered: ${entry.answer}`);
  if (entry.type === "question") notes.push(`asked: ${entry.question}`);
  if (entry.type === "task-requeued") notes.push("requeued by a person");
  if (entry.type === "task-taken") notes.push("taken by a person");
  if (entry.type === "task-submitted") notes.push("submitted by a person");
  if (entry.type === "task-reopened") notes.push(`reopened to fix what it broke: ${entry.why}`);
  if (entry.type === "replan-requested") notes.push(`needs a revised plan: ${entry.why}`);
  if (entry.type === "scope-decided") {
    const verb = entry.granted ? "were granted" : "were refused";
    notes.push(`files outside its scope ${verb} by the settings: ${entry.files.join(", ") || "none"} (${entry.why})`);
  }
}

function conclude(task: TaskRecord, attempt: AttemptRecord, entry: Entry) {
  if (entry.type === "baseline") {
    task.before.set(attempt.base, entry.checks);
    if (entry.state === "green") settle(attempt, { outcome: "satisfied", why: entry.why });
    if (entry.state === "broken") settle(attempt, { ...entry, outcome: "broken check" });
  }
  if (entry.type === "agent-finished") {
    [attempt.agent, attempt.model] = [entry.agent ?? null, entry.model ?? null];
    attempt.spent = spendingOf(entry.usage);
    if (entry.outcome.kind !== "ok")
      settle(attempt, { outcome: "ended", why: sessionEnd(entry.outcome, entry.program) });
  }
  if (entry.type === "workspace-given") attempt.byHand = true;
  if (entry.type === "work-rescued") attempt.isSaved = entry.commit !== null;
  if (entry.type === "candidate-made") attempt.isSaved = true;
  if (entry.type === "work-lost") settle(attempt, { outcome: "failed", why: `its workspace was gone: ${entry.path}` });
  if (entry.type === "verdict") {
    if (entry.result === "passed") task.proof = { base: attempt.base, checks: entry.checks };
    settle(attempt, { ...entry, outcome: entry.result === "passed" ? "under way" : entry.result });
  }
  const isOpen = attempt.outcome === "under way" || attempt.outcome === "ended";
  if (entry.type === "task-blocked" && isOpen) settle(attempt, { outcome: "blocked", why: entry.why });
  if (entry.type === "task-integrated") {
    task.commits.push(entry.commit);
    settle(attempt, { outcome: "integrated", why: "" });
  }
}

function sessionEnd(outcome: Exclude<Outcome, { kind: "ok" }>, program: ProgramFacts | undefined): string {
  if (outcome.kind === "limit") return "the agent's usage limit was reached";
  return `${outcomeName(outcome)}: ${wordsOf(outcome.detail, program)}`;
}

type Conclusion = Pick<AttemptRecord, "outcome" | "why"> & Partial<Pick<AttemptRecord, "guards" | "checks">>;

function settle(attempt: AttemptRecord, { outcome, why, guards = [], checks = [] }: Conclusion) {
  Object.assign(attempt, { outcome, why, guards, checks });
}
