import type { CheckEvidence } from "../../engine/evidence.ts";
import { commitAt, positionOf, type TestsSeen } from "../../engine/tests-seen.ts";
import { taskOf } from "../../engine/state.ts";
import { tasksBetween } from "../../engine/train.ts";
import { runLimits } from "../limits.ts";
import type { TaskFiles } from "../../plan/types.ts";
import { effectiveFiles, protectedKind, refusal } from "../../plan/protected.ts";
import type { Expectation } from "../../checks/witness/expect-tests.ts";
import { taskFile, type Run } from "../run.ts";

/** What each check ran before, looked up where the journal does not say. */
export type Before = ReadonlyMap<string, TestsSeen>;

/** What checks ran on one commit. */
export function seenAt(at: number, found: ReadonlyMap<string, CheckEvidence>): Before {
  return new Map([...found].map(([key, { tests = [] }]) => [key, { at, tests }]));
}

/** True where a test runner was heard and it is unknown what it ran before. */
export function needsLook({ state }: Run, { key = "", state: shown, tests }: CheckEvidence): boolean {
  return shown === "green" && tests !== undefined && !state.testsSeen.has(key);
}

/** Which tests a check must run on top of a commit, with the work of one task or of none. */
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

/** Files that guards let these tasks change and that they name or changed; of a folder, the tests changed inside it. */
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

/** A glob that covers a file does not show that the task changed it; it counts only where not all paths were kept. */
function isMeant({ modify, delete: deleted, touch }: TaskFiles, paths: readonly string[], group: string): boolean {
  return paths.length >= runLimits.pathsJournaledMax || [...modify, ...deleted, ...touch, ...paths].includes(group);
}

/** A task that may only create files cannot have changed a test that ran before. */
const allowed = { M: ["M", "D"], A: ["M", "D", "A"], D: ["D"] } as const;

/** Rust keeps tests beside what they test. */
function holdsTests({ rules }: Run, path: string): boolean {
  return path.endsWith(".rs") || protectedKind(path, rules.protect) !== undefined;
}
