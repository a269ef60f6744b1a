import type { Attempt } from "./attempt.ts";
import { cureOfFalseStarts, falseStartIn, nameOf, type SessionCourse, whyFalseStarts } from "./false-start.ts";
import type { FailureReason } from "./events.ts";
import { unreachable } from "../base/result.ts";
import { isOutOfReach, isUnpaid, outOfReach, outOfReachCure } from "./service-failure.ts";
import type { Outcome, Spending, Usage } from "./session.ts";
import { add, noSpending, spendingOf } from "./spending.ts";
import { taskOf, type RunState, type Hold } from "./state.ts";
import type { Role } from "../plan/types.ts";

/** What becomes of an attempt when its session is over. */
export type SessionEnd =
  | { readonly kind: "verify" }
  | { readonly kind: "free" }
  | { readonly kind: "failed"; readonly reason: FailureReason; readonly why: string }
  | { readonly kind: "blocked"; readonly infeasible: boolean; readonly why: string };

/** Sorts outcomes into what is verified, what does not count, what counts as a failed attempt, and what a person must see. */
export function afterSession({
  outcome,
  report,
  isFalseStart = false,
}: Pick<Attempt, "outcome" | "report"> & Partial<Pick<Attempt, "isFalseStart">>): SessionEnd {
  if (outcome === null) throw new Error("Internal error: expected an outcome, but was null");
  if (isFalseStart) return { kind: "free" };
  switch (outcome.kind) {
    case "ok":
      return afterReport(report);
    case "limit":
    case "overloaded":
    case "auth":
    case "misconfigured":
    case "budget":
    case "interrupted":
      return { kind: "free" };
    case "crashed":
    case "timeout":
    case "idle":
    case "refused":
    case "context":
      return { kind: "failed", reason: outcome.kind, why: `the session ${verb[outcome.kind]}: ${outcome.detail}` };
    default:
      return unreachable(outcome);
  }
}

const verb = {
  crashed: "crashed",
  timeout: "ran out of time",
  idle: "went silent and was stopped",
  refused: "was refused by the agent",
  context: "outgrew the agent's context",
} as const;

function afterReport(report: Attempt["report"]): SessionEnd {
  if (report === null || report.status === "done") return { kind: "verify" };
  const why = report.reason || report.summary || "no reason given";
  return { kind: "blocked", infeasible: report.status === "infeasible", why };
}

/** Whose session it was, and the false start that its role had made when it started. */
interface SessionOf {
  readonly task: string | null;
  readonly role: Role;
  readonly failedBefore?: string | null;
}

/**
 * Records what every session leaves behind, whatever it was for: its cost, and whether its agent can work on. Returns
 * whether it was a false start that does not count: the first, or the same once more, after which a person has to look.
 */
export function accountFor(
  state: RunState,
  { task, role, failedBefore = null }: SessionOf,
  { usage, ...course }: SessionCourse & { readonly usage: Usage & Partial<Spending> },
): boolean {
  const spent = spendingOf(usage);
  if (task !== null) taskOf(state, task).usage = add(taskOf(state, task).usage, spent);
  state.usage = add(state.usage, spent);
  state.usageByRole.set(role, add(state.usageByRole.get(role) ?? noSpending, spent));
  const falseStart = falseStartIn(course);
  if (falseStart !== null) state.falseStarts.set(role, falseStart);
  else if (showsWork(course.outcome)) state.falseStarts.delete(role);
  const isSame = falseStart !== null && falseStart === failedBefore;
  const hold = holdAfter(isSame ? holdOfFalseStarts(course) : holdOf(course), state.holds.get(role));
  if (hold !== undefined) state.holds.set(role, hold);
  if (showsAnswer(course.outcome)) {
    state.holdStreak = 0;
    // What looked like a broken program was a passing fault, or one task's own.
    if (state.holds.get(role)?.isOfFalseStarts === true) state.holds.delete(role);
  }
  return falseStart !== null && (isSame || failedBefore === null);
}

/** Returns what holds up new sessions of a role after one has ended like this. A hold that ends by itself never replaces one that needs a person. */
function holdAfter(hold: Hold | undefined, held: Hold | undefined): Hold | undefined {
  return hold === undefined || (held !== undefined && needsPerson(held)) ? held : hold;
}

function holdOfFalseStarts(course: SessionCourse): Hold {
  const [why, cure] = [whyFalseStarts(course), cureOfFalseStarts(course)];
  return { reason: "agent", until: null, why, cure, isOfFalseStarts: true };
}

function holdOf(course: SessionCourse): Hold | undefined {
  const { outcome, program } = course;
  const why = (detail: string) => (program === undefined ? detail : `${nameOf(course)}: ${detail}`);
  switch (outcome.kind) {
    case "limit":
      return { reason: "limit", until: outcome.until, why: "the agent's usage limit is reached" };
    case "overloaded":
      return isOutOfReach(outcome)
        ? { reason: "overloaded", until: null, why: why(`${outOfReach}: ${outcome.detail}`), cure: outOfReachCure }
        : { reason: "overloaded", until: null, why: why(outcome.detail) };
    case "auth": {
      const cure = loginCure(course);
      return { reason: "auth", until: null, why: why(outcome.detail), ...(cure !== undefined && { cure }) };
    }
    case "misconfigured":
      return { reason: "agent", until: null, why: why(outcome.detail) };
    case "ok":
    case "refused":
    case "context":
    case "timeout":
    case "idle":
    case "crashed":
    case "interrupted":
    case "budget":
      return undefined;
    default:
      return unreachable(outcome);
  }
}

/** Says what to do about a key or a login that was refused; undefined for agents of which Stint knows only the command. */
export function loginCure({ outcome, program, agent }: SessionCourse): string | undefined {
  if (agent === undefined || program?.tryWith === undefined) return undefined;
  if (isUnpaid(outcome)) {
    const [account, key] =
      program.keyFrom === undefined
        ? ["its account", "an API key"]
        : [`the account of ${program.keyFrom}`, "another key"];
    return `Add credit to ${account}, set ${key}, or log in to another account with \`stint login ${agent}\``;
  }
  return program.keyFrom === undefined
    ? `Log in with \`stint login ${agent}\` (its sessions do not use your own login), or set its API key`
    : `Fix ${program.keyFrom} in your environment, or unset it and log in with \`stint login ${agent}\``;
}

/** Whether waiting does not help: a person has to log the agent in or correct its settings. */
export function needsPerson({ reason }: Hold): boolean {
  return reason === "auth" || reason === "agent";
}

/** Whether the agent's service has answered, which means that an earlier limit or overload is over. */
function showsAnswer({ kind }: Outcome): boolean {
  return kind === "ok" || kind === "refused" || kind === "context";
}

/** Whether the agent's program began to work, however the session ended. */
function showsWork({ kind }: Outcome): boolean {
  return ["ok", "refused", "context", "timeout", "idle", "crashed"].includes(kind);
}
