import type { RunEvent, RunSettings } from "../engine/events.ts";
import type { Cost, RunStanding, TaskStanding } from "../engine/summary.ts";
import type { TaskChange } from "../plan/diff.ts";
import type { Role } from "../plan/types.ts";

/** An event as its journal has it. */
export type Entry = RunEvent & { readonly seq: number; readonly epoch: number; readonly at: string };

/** What a report says and the journal does not know. */
export interface Facts {
  /** Whether a process drives the run now. */
  readonly driven: boolean;
  /** Path of Stint's own repository. */
  readonly control: string;
  /** The ref in it that has the commits of the run. */
  readonly runRef: string;
  /** The ref in it that has the saved work of an attempt. */
  readonly rescueRef: (of: { readonly task: string; readonly attempt: number }) => string;
  /** The commit of the user's branch now, null if there is no branch; absent if unknown. */
  readonly branchAt?: string | null;
  /** The user's branch that has the run's tip already; absent if none is known to. */
  readonly mergedInto?: string | undefined;
}

/** The whole report of a run; `stint report --json` prints it as it is. Times are milliseconds unless they are dates. */
export interface RunReport {
  readonly run: string;
  /** What people call it, like `invoices#3`. */
  readonly name: string;
  readonly plan: string;
  readonly title: string;
  readonly goal: string;
  readonly state: RunStanding;
  readonly reason: string | null;
  /** The first paragraph: what a person wants to know first. */
  readonly verdict: string;
  readonly needs: readonly Need[];
  readonly approvals: readonly { readonly at: string; readonly by: string; readonly planHash: string }[];
  readonly base: string;
  readonly branch: string;
  readonly tip: string;
  readonly settings: RunSettings;
  readonly tasks: readonly ReportTask[];
  /** The tasks with an open question. */
  readonly asking: readonly string[];
  /** Tasks that a revision took out of the plan, with what was tried for them. */
  readonly retired: readonly Pick<ReportTask, "id" | "attempts">[];
  readonly revisions: readonly ReportRevision[];
  readonly final: ReportFinal | null;
  readonly flaky: readonly string[];
  readonly waits: readonly Wait[];
  readonly time: ReportTime;
  readonly cost: Cost;
  readonly costByRole: Readonly<Record<string, Cost>>;
  readonly budget: { readonly usd: number | null; readonly tokens: number | null; readonly task_usd: number | null };
  readonly journal: ReportJournal;
  readonly handOver: readonly HandOver[];
}

/** Something that waits for a person. */
export interface Need {
  readonly says: string;
  /** What the commands do, in their order; empty where there are none. */
  readonly how: string;
  /** A person types these; what they fill in is written `…`. */
  readonly commands: readonly string[];
  /** Why a task failed, as lines. */
  readonly evidence: readonly string[];
}

/** The result of one task. */
export interface ReportTask {
  readonly id: string;
  readonly title: string;
  readonly depends: readonly string[];
  readonly state: TaskStanding;
  readonly reason: string | null;
  /** The latest of `commits`. */
  readonly commit: string | null;
  /** One for each time it landed. */
  readonly commits: readonly string[];
  readonly attempts: readonly ReportAttempt[];
  /** What proves it, by its last verdict that passed. */
  readonly checks: readonly ReportCheck[];
  /** What people and settings did about it, oldest first. */
  readonly notes: readonly string[];
  readonly cost: Cost;
}

/** Another version of the plan, and what became of it. */
export interface ReportRevision {
  readonly revision: number;
  /** The tasks that could not be done, each with why; none where a person asked for it. */
  readonly asked: readonly { readonly task: string; readonly why: string }[];
  readonly changes: readonly TaskChange[];
  readonly standing: "asked for" | "proposed" | "accepted" | "holds" | "failed" | "dropped";
  /** Who accepted it; null if the settings did, or if it is not accepted. */
  readonly by: string | null;
  /** Why it failed or was dropped. */
  readonly why: string;
  /** When it got this standing. */
  readonly at: string;
}

/** How an attempt ended. */
export type AttemptOutcome =
  | "integrated"
  | "failed"
  | "conflict"
  | "blocked"
  | "satisfied"
  | "broken check"
  /** It does not count as an attempt: a limit, a pause, a driver that died. */
  | "ended"
  | "under way";

/** The result of one attempt. */
export interface ReportAttempt {
  readonly attempt: number;
  readonly role: Role;
  readonly agent: string | null;
  readonly model: string | null;
  readonly byHand: boolean;
  readonly startedAt: string;
  /** The time of everything done for it, without the time in which no process drove the run. */
  readonly durationMs: number;
  readonly sessionMs: number;
  readonly outcome: AttemptOutcome;
  readonly why: string;
  /** What its session cost; null where it had none, or it is not over. */
  readonly cost: Cost | null;
  /** What proves that it failed, as lines. */
  readonly evidence: readonly string[];
  /** The command that fetches its saved work; null if nothing was saved, or it landed. */
  readonly rescue: string | null;
  readonly spans: readonly Span[];
}

/** What is done for an attempt. */
export type SpanKind = "preparing" | "session" | "by hand" | "waiting" | "verification";

/** One phase of an attempt, in milliseconds since the run started. */
export interface Span {
  readonly kind: SpanKind;
  readonly from: number;
  readonly to: number;
}

/** A check, before and after the work, in words. */
export interface ReportCheck {
  readonly label: string;
  readonly words: string;
}

/** The result of all checks together on the final tip. */
export interface ReportFinal {
  readonly ok: boolean;
  readonly tip: string;
  readonly at: string;
  readonly checks: readonly ReportCheck[];
  /** The evidence of checks that are not green. */
  readonly evidence: readonly string[];
}

/** A time in which nothing happened, in milliseconds since the run started. */
export interface Wait {
  /** Why the run was parked, `paused`, `stopped`, or `undriven`: no process drove it, from the last event before that on. */
  readonly kind: string;
  readonly why: string;
  readonly from: number;
  /** Null while it lasts. */
  readonly to: number | null;
}

/** Where the time went. */
export interface ReportTime {
  readonly startedAt: string;
  /** The time of the latest event. */
  readonly until: string;
  readonly wallMs: number;
  /** The part of `wallMs` in which nothing happened. */
  readonly waitedMs: number;
  /** The time of all sessions together. */
  readonly agentMs: number;
  /** How many attempts were at work on average, while any was, and at most. */
  readonly parallel: number;
  readonly parallelMax: number;
}

/** What the report was made from. */
export interface ReportJournal {
  readonly events: number;
  /** How often a process resumed the run. */
  readonly takeovers: number;
  readonly repairs: readonly { readonly at: string; readonly bytes: number; readonly keptAt: string }[];
  readonly ignoredCommands: readonly string[];
}

/** A command for what a person may want to do with the work, to be typed in the root of their checkout. */
export interface HandOver {
  readonly about: "look" | "merge" | "sign" | "undo" | "rescued" | "clean up";
  readonly says: string;
  readonly command: string;
}
