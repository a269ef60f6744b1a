import type { CheckEvidence } from "../../engine/evidence.ts";
import { commitAt, positionOf, type TestsSeen } from "../../engine/tests-seen.ts";
import { taskOf } from "../../engine/state.ts";
import { tasksBetween } from "../../engine/train.ts";
import { runLimits } from "../limits.ts";
import { effectiveFiles } from "../../plan/effective-files.ts";
import type { TaskFiles } from "../../plan/types.ts";
import { protectedKind, refusal } from "../../plan/protected.ts";
import type { Expectation } from "../../checks/witness/expect-tests.ts";
import { taskFile, type Run } from "../run.ts";

/** By check: what it ran before, where the journal does not tell and somebody had a look. */
export type Before = ReadonlyMap<string, TestsSeen>;

/** What a look at one commit tells. */
export function seenAt(at: number, found: ReadonlyMap<string, CheckEvidence>): Before {
  return new Map([...found].map(([key, { tests = [] }]) => [key, { at, tests }]));
}

/** Whether somebody has to look: a test runner was heard, and nobody knows what it ran before. */
export function needsLook({ state }: Run, { key = "", state: shown, tests }: CheckEvidence): boolean {
  return shown === "green" && tests !== undefined && !state.testsSeen.has(key);
}

/** What is asked of a check's tests on top of a commit, with the work of a task there or of none. */
export function expectationOf(
  run: Run,
  about: { readonly key: string; readonly isGoal: boolean; readonly onto: string; readonly task?: string },
  before: Before = new Map(),
): Expectation {
  const { key, isGoal, onto, task } = about;
  const seen = run.state.testsSeen.get(key) ?? before.get(key);
  // What landed after that commit cannot be missing there.
  const known = seen !== undefined && seen.at <= positionOf(run.state, onto) ? seen : undefined;
  const from = known === undefined ? onto : commitAt(run.state, known.at);
  const tasks = [...tasksBetween(run.state, from, onto), ...(task === undefined ? [] : [task])];
  return { isGoal, before: known?.tests, mayChange: mayChange(run, tasks) };
}

/** What a guard would let these tasks change, and they name or did change; of a folder, a test that one of them changed inside. */
function mayChange(run: Run, tasks: readonly string[]): Expectation["mayChange"] {
  const all = [...new Set(tasks)].map((id) => {
    const { granted, attempt } = taskOf(run.state, id);
    return { files: effectiveFiles(taskFile(run, id), granted), paths: attempt?.candidate?.paths ?? [] };
  });
  return (group, how) =>
    all.some(
      ({ files, paths }) =>
        (isMeant(files, paths, group) &&
          allowed[how].some((status) => refusal(files, { status, path: group }, run.rules) === undefined)) ||
        paths.some((path) => path.startsWith(`${group}/`) && holdsTests(run, path)),
    );
}

/** That a task could have changed a file, by a glob, says nothing; where not all paths were kept, that has to do. */
function isMeant({ modify, delete: deleted, touch }: TaskFiles, paths: readonly string[], group: string): boolean {
  return paths.length >= runLimits.pathsJournaledMax || [...modify, ...deleted, ...touch, ...paths].includes(group);
}

/** What was there is not made anew: who may only create files, names none of those that ran. */
const allowed = { M: ["M", "D"], A: ["M", "D", "A"], D: ["D"] } as const;

/** Rust keeps tests beside what they test. */
function holdsTests({ rules }: Run, path: string): boolean {
  return path.endsWith(".rs") || protectedKind(path, rules.protect) !== undefined;
}
