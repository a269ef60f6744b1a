import { attemptOf } from "../../engine/attempt.ts";
import { isObsolete } from "../../engine/action.ts";
import type { RunEvent } from "../../engine/events.ts";
import { taskOf, type TaskState } from "../../engine/state.ts";
import { tasksBetween } from "../../engine/train.ts";
import { isOfPlan } from "../../plan/plan-folder.ts";
import { effectiveFiles } from "../../plan/protected.ts";
import { askedOf, taskQuestions, type Asked } from "../../checks/asked.ts";
import { guardContents } from "../../guards/contents.ts";
import { labelOf } from "../../checks/evaluate-check.ts";
import type { UnreadRequest } from "../../workspace/room-port.ts";
import { isQuickPlan } from "../../plan/quick-plan.ts";
import { describeSome } from "../../checks/describe.ts";
import { guardChanges } from "../../guards/scope.ts";
import type { ChangedPath, Placed } from "../ports.ts";
import { taskFile, type Run } from "../run.ts";
import { conflict, failed, violated, concludeChecks, look, type Conclusion, type Subject } from "./verify-checks.ts";
import { aloneLook, turnedAlone } from "../../guards/tests-alone.ts";

/** Judges a candidate: guards on its diff, then checks on the very commit that would land. */
export async function verifyCandidate(
  run: Run,
  action: { readonly type: "verify"; readonly task: string; readonly onto: string },
  signal: AbortSignal,
): Promise<void> {
  const { task: id, onto: tip } = action;
  const state = taskOf(run.state, id);
  const attempt = attemptOf(state);
  const { number, candidate } = attempt;
  if (candidate === null) throw new Error(`Internal error: expected a candidate of ${id}, but was null`);
  const written = taskFile(run, id);
  const task = { ...written, files: effectiveFiles(written, state.granted) };
  const conclusion = await conclude({ run, task, state, attempt, candidate: candidate.commit, tip, signal });
  // The train may have moved on in the moment before this step is aborted.
  if (isObsolete(run.state, action)) return;
  run.append(questionsOf(run, state, conclusion) ?? { type: "verdict", task: id, attempt: number, tip, ...conclusion });
}

/** A judge is asked last, and only about what all else agrees with; null where there is nothing to ask. */
function questionsOf({ plan, rules }: Run, task: TaskState, { result, checks }: Conclusion): RunEvent | null {
  const { spec } = task;
  const { number: attempt, placement, candidate } = attemptOf(task);
  const questions = taskQuestions({ plan, rules }, spec.id);
  if (result !== "passed" || questions.length === 0 || placement === null || candidate === null) return null;
  const { onto: tip, commit: placed, tree } = placement;
  const of = { task: spec.id, attempt, diff: candidate.diff };
  return { type: "checks-passed", ...of, tip, placed, tree, checks, questions };
}

async function conclude(subject: Subject): Promise<Conclusion> {
  const { run, task, attempt, candidate, tip, signal } = subject;
  const changes = await run.ports.repo.changes(attempt.base, candidate);
  const guards = [...guardChanges(changes, task, run.rules), ...(await readChanges(subject, changes))];
  // What a candidate changes is the same wherever it is put: that verdict need not wait for the cars in front.
  if (guards.length > 0) return { ...violated(guards), tip: run.state.tip };
  const paths = changes.map(({ path }) => path);
  const all = askedOf(run, run.state, { task: task.id, onto: tip, paths });
  const further = [run.plan.file];
  const likely = await withoutUnread(subject, all, { from: attempt.base, to: candidate, further });
  const placed = await place(subject, likely.length + taskQuestions(run, task.id).length);
  signal.throwIfAborted();
  if (placed.kind === "unticked") return failed({ reason: "guard", why: placed.why });
  if (placed.kind === "conflict") return textualConflict(subject, placed.paths);
  const landing = guardLanding(subject, placed.placement.changes);
  if (landing.length > 0) return violated(landing);
  // A merge may change other files than the work did: it follows files that were renamed meanwhile.
  const left = all.filter((one) => !likely.includes(one));
  const still = await withoutUnread(subject, left, { from: tip, to: placed.placement.commit });
  const asked = all.filter((one) => likely.includes(one) || still.includes(one));
  const conclusion = await concludeChecks(subject, placed.placement, asked);
  if (conclusion.result !== "passed") return conclusion;
  return (await refuseTestsAlone(subject, changes, asked)) ?? conclusion;
}

/**
 * Leaves out checks of earlier tasks that read nothing of what this work changes, if that was seen: they would show what they
 * showed before. The final verification asks them again. A revision replaces the whole plan, and a flaky check never tells.
 */
async function withoutUnread(
  { run, tip }: Subject,
  asked: readonly Asked[],
  landing: Pick<UnreadRequest, "from" | "to" | "further">,
): Promise<readonly Asked[]> {
  const { settings, replanning, flaky } = run.state;
  const earlier = asked.filter(({ of, key }) => of !== null && !flaky.has(key)).map(({ check }) => check);
  if (settings.reverify === "all" || replanning.inForce !== null || earlier.length === 0) return asked;
  const unread = await run.ports.rooms.unread({ checks: earlier, onto: tip, ...landing });
  return asked.filter(({ of, key }) => of === null || !unread.has(key));
}

async function readChanges({ run, task, attempt, candidate }: Subject, changed: readonly ChangedPath[]) {
  const { plan, rules, setup } = run;
  const changes = await run.ports.repo.texts({ from: attempt.base, to: candidate }, changed);
  const checks = [...plan.tasks.flatMap((one) => one.checks), ...rules.checks, ...plan.checks];
  const readBase = async (path: string) => {
    const range = { from: attempt.base, to: attempt.base };
    const [file] = await run.ports.repo.texts(range, [{ status: "M", path, lines: 0 }]);
    return file?.before ?? null;
  };
  return await guardContents({ task, rules, checks, setup, changes }, readBase);
}

/** Journaled at once, so that the next car can be verified on top; what was placed there before a crash is taken again. */
async function place({ run, task, attempt, candidate, tip, signal }: Subject, checkCount: number): Promise<Placed> {
  const { number, base, placement: known } = attempt;
  const { repo, clock } = run.ports;
  if (known?.onto === tip) {
    const changes = tip === base ? [] : await repo.changes(tip, known.commit);
    return { kind: "placed", placement: { ...known, changes } };
  }
  const summary = attempt.report?.summary ?? "";
  const about = { task: task.id, attempt: number, title: task.title, summary, checkCount, at: clock.now() };
  const typedChecks = isQuickPlan(run.state.plan) ? task.checks.map(labelOf) : [];
  const placed = await repo.place({ ...about, typedChecks, base, tip, candidate });
  signal.throwIfAborted();
  if (placed.kind === "placed") {
    const { commit, tree } = placed.placement;
    run.append({ type: "placed", task: task.id, attempt: number, tip, commit, tree });
  }
  return placed;
}

/**
 * What lands is inspected too: a clean merge can carry an edit to where the candidate's own diff had none. Of the plan's
 * folder nothing is the candidate's: its box is ticked, and a revision in force replaces all of it.
 */
function guardLanding({ run, task, attempt, tip }: Subject, changes: readonly ChangedPath[]) {
  const { file, name } = run.plan;
  const isOurs = (path: string) => (run.state.replanning.inForce === null ? path === file : isOfPlan(path, name));
  const landing = changes.filter(({ path }) => !isOurs(path));
  return tip === attempt.base ? [] : guardChanges(landing, task, run.rules);
}

/** The tasks that changed one of those files; all that landed since, where their recorded paths do not tell. */
function textualConflict({ run, attempt, tip }: Subject, paths: readonly string[]): Conclusion {
  const between = [...new Set(tasksBetween(run.state, attempt.base, tip))];
  const pathsOf = (id: string) => taskOf(run.state, id).attempt?.candidate?.paths ?? [];
  const found = between.filter((id) => pathsOf(id).some((path) => paths.includes(path)));
  const others = found.length > 0 ? found : between;
  return conflict(`${describeSome(others)} changed the same lines of ${describeSome(paths)} meanwhile`, others);
}

/**
 * Puts the changed tests on the code as it was before the work: a check that was red there and is green now was turned by
 * the tests alone, however they did it.
 */
async function refuseTestsAlone(
  subject: Subject,
  changes: readonly ChangedPath[],
  asked: readonly Asked[],
): Promise<Conclusion | undefined> {
  const { run, task, state, attempt, candidate } = subject;
  const alone = aloneLook(task.files, changes, { asked, redBefore: state.redChecks });
  if (alone === undefined) return undefined;
  const commit = await run.ports.repo.part({ from: attempt.base, to: candidate }, alone.paths);
  const found = await look(subject, { commit, asked: alone.asked, name: "tests-alone", watched: alone.watched });
  const turned = [...found.values()].map(turnedAlone).find((what) => what !== undefined);
  if (turned === undefined) return undefined;
  const path = changes.find((change) => change.status !== "A" && alone.paths.has(change.path))?.path ?? "";
  const why = `was changed, and with nothing but the tests changed, on the code as it was, ${turned}. Put the tests back and change the code; where only tests are wrong, let a task name nothing else.`;
  return violated([{ guard: "tests", path, why }]);
}
