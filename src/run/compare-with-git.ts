import { runName } from "../engine/run-name.ts";
import type { EventOf } from "../engine/events.ts";
import type { RunState, TaskState } from "../engine/state.ts";
import { pinInUserRepo } from "../git/control.ts";
import { missingCommits } from "../git/objects.ts";
import { compareAndSwapRef, readRef } from "../git/refs.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { rescueRef, runPaths, runRef } from "../project/paths.ts";
import type { Project } from "../project/project.ts";

export interface GitFindings {
  /** Work that was waiting to be verified or to land and no longer exists: it has to be done again. */
  readonly lost: readonly EventOf<"work-lost">[];
}

/**
 * Compares git with the journal before a run is resumed: the user may have deleted or moved
 * in `.git` what they liked. A ref that is gone is made again where the journal has it; one that is elsewhere is never
 * guessed at, and no agent is started for it.
 */
export async function compareWithGit(project: Project, state: RunState): Promise<Result<GitFindings>> {
  const { control, repo } = project;
  const { run, base, tip, replanning } = state;
  const needed = [base, tip, ...revisionsOf(replanning)];
  const [gone] = await missingCommits({ gitDir: control.dir }, needed);
  if (gone !== undefined) return fail("gone", whyGone(project, state, gone));
  await pinInUserRepo(repo, `refs/stint/keep/${run}/base`, base);
  const actual = await readRef(control, runRef(run));
  if (actual === null) await compareAndSwapRef(control, runRef(run), { next: tip, old: null });
  else if (!tipsOf(state).includes(actual)) return fail("moved", whyElsewhere(project, state, actual));
  const waiting = [...state.queue].flatMap((id) => state.tasks.get(id) ?? []);
  const missing = new Set(await missingCommits({ gitDir: control.dir }, waiting.flatMap(commitsOf)));
  const lost = waiting.filter((task) => commitsOf(task).some((commit) => missing.has(commit)));
  return ok({ lost: lost.map((task) => workLost(run, task)) });
}

/** The revisions that are in force, accepted, or waiting for a person. */
function revisionsOf({ inForce, accepted, proposal }: RunState["replanning"]): string[] {
  return [inForce, accepted, proposal].flatMap((revision) => revision?.commit ?? []);
}

/** Where the ref may be: at the tip, or at what was about to become it. */
function tipsOf({ tip, tasks }: RunState): string[] {
  const integrating = [...tasks.values()].filter(({ phase }) => phase === "integrating");
  return [tip, ...integrating.flatMap(({ attempt }) => attempt?.verified?.commit ?? [])];
}

/** A candidate may have to be put on another tip; once it is to land, only what lands counts. */
function commitsOf({ phase, attempt }: TaskState): string[] {
  const candidate = phase === "integrating" ? undefined : attempt?.candidate?.commit;
  return [candidate, attempt?.verified?.commit].filter((commit) => commit !== undefined);
}

function workLost(run: string, { spec, attempts }: TaskState): EventOf<"work-lost"> {
  const key = { task: spec.id, attempt: attempts };
  return { type: "work-lost", ...key, path: rescueRef(run, key) };
}

function whyGone({ control, paths }: Project, state: RunState, commit: string): string {
  const cause = `${control.dir} was deleted, or refs/stint/ was deleted before a \`git gc\``;
  const cure = `Fetch it or restore it from a copy, then run \`stint resume ${runName(state)}\``;
  const orAnew = `or move ${runPaths(paths, state.run).dir} away and start over with \`stint run\``;
  return `commit ${commit} of run ${runName(state)} is gone: ${cause}. ${cure}; ${orAnew}.`;
}

function whyElsewhere({ control }: Project, state: RunState, actual: string): string {
  const { run, tip } = state;
  const ref = runRef(run);
  const cause = "another program moved it, or the journal is an older copy";
  const back = `\`git --git-dir=${control.dir} update-ref ${ref} ${tip}\` follows the journal`;
  const what = `${ref} is at ${actual}, and the journal of the run has ${tip}: ${cause}`;
  return `${what}. Restore the journal, or the ref (${back}), then run \`stint resume ${runName(state)}\`.`;
}
