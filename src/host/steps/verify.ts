import type { CheckEvidence, EventOf, GuardEvidence } from "../../engine/events.ts";
import { taskOf, type TaskState } from "../../engine/state.ts";
import { limits } from "../../limits.ts";
import { effectiveFiles } from "../../plan/effective-files.ts";
import type { Check, Task } from "../../plan/types.ts";
import { checksToMend, distinct, isMechanical } from "../../verify/checks.ts";
import { guardChanges } from "../../verify/guards.ts";
import { describeGuards, describeReds } from "../../verify/describe.ts";
import type { Placement } from "../ports.ts";
import { taskFile, type Run } from "../run.ts";

type Conclusion = Omit<EventOf<"verdict">, "type" | "task" | "attempt" | "tip">;
interface Case {
  readonly run: Run;
  readonly task: Task;
  readonly state: TaskState;
  readonly candidate: string;
  readonly tip: string;
  readonly signal: AbortSignal;
}

/** Judges a candidate: guards on its diff, then checks on the very commit that would land. */
export async function verifyCandidate(
  run: Run,
  { task: id, onto: tip }: { readonly task: string; readonly onto: string },
  signal: AbortSignal,
): Promise<void> {
  const state = taskOf(run.state, id);
  const { candidate, attempt } = state;
  if (candidate === null) throw new Error(`Internal error: expected a candidate of ${id}, but was null`);
  const written = taskFile(run, id);
  const task = { ...written, files: effectiveFiles(written, state.granted) };
  const conclusion = await conclude({ run, task, state, candidate, tip, signal });
  run.append({ type: "verdict", task: id, attempt, tip, ...conclusion });
}

async function conclude(subject: Case): Promise<Conclusion> {
  const { run, task, state, candidate, tip } = subject;
  const guards = guardChanges(await run.ports.repo.changes(state.base, candidate), task, run.rules);
  if (guards.length > 0) return violated(guards);
  const mend = checksToMend(run.plan, run.rules, state.mend);
  const checks = distinct([...mend, ...[...task.checks, ...run.rules.checks].filter(isMechanical)]);
  const placed = await run.ports.repo.place({
    task: task.id,
    attempt: state.attempt,
    base: state.base,
    tip,
    candidate,
    title: task.title,
    summary: state.report?.summary ?? "",
    checkCount: checks.length,
    at: run.ports.clock.now(),
  });
  if (placed.kind === "unticked") return failed({ reason: "guard", why: placed.why });
  if (placed.kind === "conflict") return conflict(`another task changed the same lines of ${placed.paths.join(", ")}`);
  const { commit, tree } = placed.placement;
  run.append({ type: "placed", task: task.id, attempt: state.attempt, tip, commit, tree });
  return await concludePlaced(subject, placed.placement, checks);
}

async function concludePlaced(subject: Case, placement: Placement, checks: readonly Check[]): Promise<Conclusion> {
  const { run, task, state, candidate, tip, signal } = subject;
  // What lands is inspected too: a clean merge can carry an edit to where the candidate's own diff had none.
  const planFile = `${run.plan.dir}/plan.md`;
  const landing = placement.changes.filter((change) => change.path !== planFile);
  const guards = tip === state.base ? [] : guardChanges(landing, task, run.rules);
  if (guards.length > 0) return violated(guards);
  const logDir = run.ports.documents.attemptDir({ task: task.id, attempt: state.attempt });
  const evidence = await run.ports.rooms.check({ commit: placement.commit, checks, logDir, signal });
  if (evidence.every((check) => check.state === "green")) {
    return { result: "passed", reason: null, why: "", placed: placement.commit, guards: [], checks: evidence };
  }
  await expectSetUp(subject, evidence, { checks, logDir });
  if (tip !== state.base) {
    const alone = await run.ports.rooms.check({ commit: candidate, checks, logDir, signal });
    if (alone.every((check) => check.state === "green")) {
      return conflict(
        `green alone, red together with what was integrated meanwhile: ${describeReds(evidence)}`,
        evidence,
      );
    }
  }
  return failed({ reason: "check", why: describeReds(evidence), checks: evidence });
}

/** A set-up that fails without the candidate, too, says nothing about it: the run stops, and on resume it is verified again. */
async function expectSetUp(
  { run, task, tip, signal }: Case,
  evidence: readonly CheckEvidence[],
  room: { readonly checks: readonly Check[]; readonly logDir: string },
): Promise<void> {
  const failure = evidence.find((check) => check.cause === "set-up");
  if (failure === undefined) return;
  const without = await run.ports.rooms.check({ commit: tip, ...room, checks: room.checks.slice(0, 1), signal });
  if (without.every((check) => check.cause === undefined)) return;
  throw new Error(
    `${failure.tail}\nIt fails without the work of ${task.id}, too. Cure that, then run \`stint resume\`: the work is kept and verified again.`,
  );
}

function violated(guards: readonly GuardEvidence[]): Conclusion {
  return failed({ reason: "guard", why: describeGuards(guards), guards: guards.slice(0, limits.pathsJournaledMax) });
}

function failed(parts: Pick<Conclusion, "reason" | "why"> & Partial<Conclusion>): Conclusion {
  return { result: "failed", placed: null, guards: [], checks: [], ...parts };
}

function conflict(why: string, checks: readonly CheckEvidence[] = []): Conclusion {
  return { result: "conflict", reason: "conflict", why, placed: null, guards: [], checks };
}
