import { runName } from "../../engine/run-name.ts";
import { join } from "node:path";
import type { CheckEvidence, GuardEvidence } from "../../engine/evidence.ts";
import { positionOf } from "../../engine/tests-seen.ts";
import { freeLanes } from "../../engine/schedule.ts";
import { tasksBetween } from "../../engine/train.ts";
import { askedLater, type Asked } from "../../checks/asked.ts";
import { describeReds, describeSome, describeGuards } from "../../checks/describe.ts";
import { seenAgain } from "../../checks/flaky.ts";
import { expectTests } from "../../checks/witness/expect-tests.ts";
import { checkOnLanes } from "./lanes.ts";
import { expectationOf, needsLook, seenAt, type Before } from "./expected-tests.ts";
import type { EventOf } from "../../engine/events.ts";
import type { Attempt } from "../../engine/attempt.ts";
import type { TaskState } from "../../engine/state.ts";
import { runLimits } from "../limits.ts";
import type { Task } from "../../plan/types.ts";
import type { Run } from "../run.ts";
import { readableLines } from "../../base/readable.ts";

/** A candidate to verify, with the commit it would land on. */
export interface Subject {
  readonly run: Run;
  /** The task, with the files granted to it since. */
  readonly task: Task;
  readonly state: TaskState;
  readonly attempt: Attempt;
  readonly candidate: string;
  readonly tip: string;
  readonly signal: AbortSignal;
}

/** A verdict without its attempt. One that is true on any tip may name another commit. */
export type Conclusion = Omit<EventOf<"verdict">, "type" | "task" | "attempt" | "tip"> & { readonly tip?: string };

/** The results, by the key of their check. */
type Findings = Map<string, CheckEvidence>;

/** Runs the checks on a placed candidate. Failures are examined, so that no task is blamed for another's work. */
export async function concludeChecks(
  subject: Subject,
  placed: { readonly commit: string; readonly tree: string },
  asked: readonly Asked[],
): Promise<Conclusion> {
  const { run, tip, attempt } = subject;
  const findings = await lookAtPlaced(subject, placed, asked);
  const before = await expectAll(subject, asked, findings);
  const red = () => asked.filter(({ key }) => isRed(findings.get(key)));
  const evidence = () => asked.flatMap(({ key }) => findings.get(key) ?? []);
  const passed = (): Conclusion => {
    return { result: "passed", reason: null, why: "", placed: placed.commit, guards: [], checks: evidence() };
  };
  const again = async (some: readonly Asked[]) => {
    const answered = some.filter(({ key }) => findings.get(key)?.cause === undefined);
    const seen = await look(subject, { commit: placed.commit, asked: answered, name: "again" });
    for (const one of answered) {
      const found = seen.get(one.key);
      if (found === undefined) continue;
      const now = expected(subject, one, { found, before, onto: tip });
      findings.set(one.key, seenAgain(findings.get(one.key) ?? now, now));
    }
  };

  if (red().length === 0) return passed();
  await expectSetUp(subject, { evidence: evidence(), asked });
  await again(red().filter((one) => !one.isGoal));
  const excused = await redWithout(subject, red());
  for (const [key, found] of findings) if (excused.has(key)) findings.set(key, { ...found, excused: true });
  if (red().length === 0) return passed();
  const whyFailed = () => failed({ reason: "check", why: describeReds(evidence()), checks: evidence() });
  if (tip === attempt.base || (await isRedAlone(subject, red()))) return whyFailed();
  await again(red().filter((one) => one.isGoal));
  if (red().length === 0) return passed();
  const others = [...new Set(tasksBetween(run.state, attempt.base, tip))];
  const why = `green alone, red together with the work of ${describeSome(others)}: ${describeReds(evidence())}`;
  return conflict(why, others, evidence());
}

/** A check that passed on the very same tree is not run again, whichever task needed it. */
async function lookAtPlaced(
  subject: Subject,
  { commit, tree }: { readonly commit: string; readonly tree: string },
  asked: readonly Asked[],
): Promise<Findings> {
  const known = subject.run.state.proven.get(tree) ?? new Map<string, CheckEvidence>();
  const rest = asked.filter(({ key }) => !known.has(key));
  const watch = askedLater(subject.run, subject.run.state, { task: subject.task.id, asked: rest });
  const findings = await look(subject, { commit, asked: rest, name: "", watch });
  for (const one of asked) {
    const before = known.get(one.key);
    if (before !== undefined) findings.set(one.key, { ...signed(one, before), cached: true });
  }
  return findings;
}

/** Makes red what did not run the tests it should have run. Where the journal does not know them, the commit without the work shows which they are. */
async function expectAll(subject: Subject, asked: readonly Asked[], findings: Findings): Promise<Before> {
  const unknown = asked.filter(({ key }) => needsLook(subject.run, findings.get(key) ?? nothing));
  const seen = await look(subject, { commit: subject.tip, asked: unknown, name: "before" });
  const before = seenAt(positionOf(subject.run.state, subject.tip), seen);
  for (const one of asked) {
    const found = findings.get(one.key);
    if (found !== undefined) findings.set(one.key, expected(subject, one, { found, before, onto: subject.tip }));
  }
  return before;
}

const nothing: CheckEvidence = { label: "", state: "red", why: "", tail: "", durationMs: 0 };

function expected(
  { run, task }: Subject,
  { key, isGoal }: Asked,
  { found, before, onto }: { readonly found: CheckEvidence; readonly before: Before; readonly onto: string },
): CheckEvidence {
  return expectTests(found, expectationOf(run, { key, isGoal, onto, task: task.id }, before));
}

/** Checks of earlier tasks that also fail without this work: another task has to fix those. A set-up that fails there excuses nothing. */
async function redWithout(subject: Subject, red: readonly Asked[]): Promise<Set<string>> {
  const asked = red.filter(({ of }) => of !== null);
  const findings = await look(subject, { commit: subject.tip, asked, name: "without" });
  const excused = asked.filter((one) => {
    const found = findings.get(one.key);
    if (found === undefined || found.cause !== undefined) return false;
    return isRed(expected(subject, one, { found, before: new Map(), onto: subject.tip }));
  });
  return new Set(excused.map(({ key }) => key));
}

/** Whether the candidate's own tree is red; checks of what landed since its base cannot be asked there. */
async function isRedAlone(subject: Subject, red: readonly Asked[]): Promise<boolean> {
  const { run, attempt, candidate, tip } = subject;
  const since = new Set(tasksBetween(run.state, attempt.base, tip));
  const asked = red.filter(({ of }) => of === null || !since.has(of));
  const findings = await look(subject, { commit: candidate, asked, name: "alone" });
  return asked.some((one) => {
    const found = findings.get(one.key);
    return found !== undefined && isRed(expected(subject, one, { found, before: new Map(), onto: attempt.base }));
  });
}

interface Look {
  readonly commit: string;
  readonly asked: readonly Asked[];
  readonly name: string;
  readonly watched?: readonly string[];
  /** The checks whose reading is worth knowing. */
  readonly watch?: ReadonlySet<string>;
}

/** Runs checks in a fresh room. The logs of a second run go to a folder of that name. */
export async function look(
  { run, task, attempt, tip, signal }: Subject,
  { commit, asked, name, watched = [], watch }: Look,
): Promise<Findings> {
  if (asked.length === 0) return new Map();
  const logDir = join(run.ports.documents.attemptDir({ task: task.id, attempt: attempt.number }), name);
  const checks = asked.map(({ check }) => check);
  const { rooms } = run.ports;
  // This verification has one lane, and may use those that are idle.
  const lanes = rooms.areCheap ? 1 + Math.max(0, freeLanes(run.state)) : 1;
  const evidence = await checkOnLanes(rooms, lanes, { commit, without: tip, checks, logDir, signal, watched, watch });
  const byKey = new Map(evidence.map((one) => [one.key, one]));
  return new Map(
    asked.map((one) => {
      const found = byKey.get(one.key);
      // A check without an answer must never count as one that is not red.
      if (found === undefined) throw new Error(`Internal error: expected an answer to ${one.key}, but was none`);
      return [one.key, signed(one, found)];
    }),
  );
}

/** Whose check it is depends on who asks. */
function signed({ key, of }: Asked, evidence: CheckEvidence): CheckEvidence {
  return { ...evidence, key, ...(of !== null && { of }) };
}

function isRed(evidence: CheckEvidence | undefined): boolean {
  return evidence !== undefined && evidence.state !== "green" && evidence.excused !== true;
}

/** A set-up that fails without the candidate, too, says nothing about it: the run stops, and on resume it is verified again. */
async function expectSetUp(
  subject: Subject,
  { evidence, asked }: { readonly evidence: readonly CheckEvidence[]; readonly asked: readonly Asked[] },
): Promise<void> {
  const failure = evidence.find((check) => check.cause === "set-up");
  if (failure === undefined) return;
  const without = await look(subject, { commit: subject.tip, asked: asked.slice(0, 1), name: "without" });
  if ([...without.values()].every((check) => check.cause === undefined)) return;
  throw new Error(
    `${readableLines(failure.tail).join("\n")}\nIt also fails without the work of ${subject.task.id}. Fix that, then run \`stint resume ${runName(subject.run.state)}\`: the work is kept and verified again.`,
  );
}

/** Concludes that guards refuse the work. */
export function violated(guards: readonly GuardEvidence[]): Conclusion {
  return failed({ reason: "guard", why: describeGuards(guards), guards: guards.slice(0, runLimits.pathsJournaledMax) });
}

/** Concludes that the work failed, which costs an attempt. */
export function failed(parts: Pick<Conclusion, "reason" | "why"> & Partial<Conclusion>): Conclusion {
  return { result: "failed", placed: null, guards: [], checks: [], ...parts };
}

/** Concludes that nobody is to blame: the work and that of others do not fit together. */
export function conflict(why: string, others: readonly string[], checks: readonly CheckEvidence[] = []): Conclusion {
  return { result: "conflict", reason: "conflict", why, placed: null, guards: [], checks, with: others };
}
