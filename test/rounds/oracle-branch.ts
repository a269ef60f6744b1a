import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linesOf, output } from "./commands.ts";
import type { Files, RoundCheck } from "./round.ts";

/** A task as the oracle knows it: from the round, never from the journal. */
export interface ExpectedTask {
  readonly id: string;
  readonly files: Files;
  readonly granted: readonly string[];
  readonly checks: readonly RoundCheck[];
}

/** The commits to judge; nothing but plain git and `sh` is asked about them. */
export interface Branch {
  readonly gitDir: string;
  readonly base: string;
  readonly tip: string;
  readonly planFile: string;
  readonly tasks: readonly ExpectedTask[];
}

/** A commit of the branch, as its trailers have it. */
export interface TaskCommit {
  readonly commit: string;
  readonly parent: string;
  readonly task: string;
  readonly attempt: number;
}

/** Says what is wrong with a branch: tasks missing or there twice, red commits, changes that were not the task's. */
export async function inspectBranch(branch: Branch): Promise<readonly string[]> {
  const commits = await taskCommits(branch);
  const found = [...countTasks(branch, commits)];
  const known = commits.flatMap((commit) => {
    const task = branch.tasks.find(({ id }) => id === commit.task);
    return task === undefined ? [] : [{ commit, task }];
  });
  for (const { commit, task } of known) {
    found.push(...(await outsideFiles(branch, commit, task)), ...(await wrongTick(branch, commit)));
  }
  return [...found, ...(await replay(branch, known))];
}

/** Runs at every commit the checks of all tasks that have landed, which must be green, and of the next one, which must not. */
async function replay(branch: Branch, landed: readonly Landed[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (let count = 0; count <= landed.length; count += 1) {
    const tasks = landed.slice(0, count + 1).map(({ task }) => task);
    const [here, next] = [landed[count - 1]?.commit, landed[count]];
    const red = await redChecks(branch, next?.commit.parent ?? here?.commit ?? branch.base, tasks);
    const due = tasks.slice(0, count).flatMap(({ checks }) => checks.map(({ run }) => run));
    found.push(
      ...red
        .filter((run) => due.includes(run))
        .map((run) => `the branch is red at the commit of ${here?.task}: ${run}`),
    );
    if (next !== undefined && !next.task.checks.some((check) => check.red !== false && red.includes(check.run))) {
      found.push(`${next.task.id} proves nothing: its checks were green before its commit`);
    }
  }
  return found;
}

interface Landed {
  readonly commit: TaskCommit;
  readonly task: ExpectedTask;
}

/** The commits from the base to the tip, oldest first. */
export async function taskCommits({ gitDir, base, tip }: Branch): Promise<readonly TaskCommit[]> {
  const trailer = (key: string): string => `%(trailers:key=${key},valueonly,separator=%x2C)`;
  const format = `--format=%H|%P|${trailer("Stint-Task")}|${trailer("Stint-Attempt")}`;
  const log = await output("git", ["--git-dir", gitDir, "log", "--reverse", "--topo-order", format, `${base}..${tip}`]);
  return linesOf(log).map((line) => {
    const [commit = "", parent = "", task = "", attempt = ""] = line.split("|");
    return { commit, parent, task, attempt: Number(attempt) };
  });
}

function* countTasks({ base, tip, tasks }: Branch, commits: readonly TaskCommit[]): Generator<string> {
  for (const { id } of tasks) {
    const count = commits.filter(({ task }) => task === id).length;
    if (count !== 1) yield `${id} is on the branch ${count} times`;
  }
  const known = new Set(tasks.map(({ id }) => id));
  for (const { commit, task } of commits) if (!known.has(task)) yield `${commit} is of no task: "${task}"`;
  const parents = [base, ...commits.map(({ commit }) => commit)];
  const isLine = commits.every(({ parent }, at) => parent === parents[at]) && parents.at(-1) === tip;
  if (!isLine) yield "the branch is no single line of commits from the base to the tip";
}

async function outsideFiles(
  { gitDir, planFile }: Branch,
  { commit, parent, task }: TaskCommit,
  expected: ExpectedTask,
): Promise<readonly string[]> {
  const args = ["--git-dir", gitDir, "diff-tree", "-r", "--no-renames", "--name-status", parent, commit];
  const { files, granted } = expected;
  const allowed: Record<string, readonly string[]> = {
    A: [...files.create, ...granted],
    M: [...files.modify, ...granted, planFile],
    D: files.delete,
  };
  return linesOf(await output("git", args))
    .map((line) => line.split("\t") as [string, string])
    .filter(([status, path]) => !allowed[status]?.includes(path))
    .map(([status, path]) => `the commit of ${task} has a change that is not its own: ${status} ${path}`);
}

async function wrongTick(
  { gitDir, planFile }: Branch,
  { commit, parent, task }: TaskCommit,
): Promise<readonly string[]> {
  const planAt = async (at: string): Promise<string> =>
    await output("git", ["--git-dir", gitDir, "show", `${at}:${planFile}`]);
  const [before, after] = [await planAt(parent), await planAt(commit)];
  const [open, done] = [`- [ ] [${task}]`, `- [x] [${task}]`];
  if (before.includes(open) && before.replace(open, done) === after) return [];
  return [`the commit of ${task} does more or less to the plan than tick its box`];
}

/** Replays a commit: a fresh folder, and every check with plain `sh`. */
async function redChecks(
  { gitDir }: Branch,
  commit: string,
  tasks: readonly ExpectedTask[],
): Promise<readonly string[]> {
  const checks = [...new Set(tasks.flatMap((task) => task.checks.map(({ run }) => run)))];
  const folder = mkdtempSync(join(tmpdir(), "stint-replay-"));
  try {
    const script = `git --git-dir "$1" archive "$2" | tar -x || exit 1
      shift 2
      for check; do (eval "$check") >/dev/null 2>&1 </dev/null || printf '%s\\n' "$check"; done`;
    return linesOf(await output("sh", ["-c", script, "replay", gitDir, commit, ...checks], folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
