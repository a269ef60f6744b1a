import type { Revision } from "../../engine/events.ts";
import { treeWithFiles, type NewFile } from "../../git/edit-tree.ts";
import type { Identity } from "../../git/names.ts";
import { listPaths } from "../../git/objects.ts";
import { compareAndSwapRef } from "../../git/refs.ts";
import { commitTree } from "../../git/write-objects.ts";
import { diffTasks } from "../../plan/diff.ts";
import { oneFileOf } from "../../plan/plan-folder.ts";
import { tickExactly } from "../../plan/tick.ts";
import type { Plan, PlanFiles } from "../../plan/types.ts";
import { fail, ok, type Failure, type Result } from "../../base/result.ts";
import { readCommittedPlan } from "../../approval/committed-plan.ts";
import { specsOf } from "../../approval/plan-of-run.ts";
import { revisionRef } from "../../project/paths.ts";
import type { Project } from "../../project/project.ts";

/** A revision that has no number in its run yet. */
export type RevisedPlan = Omit<Revision, "revision">;

/** What a revision is made of. */
export interface RevisionRequest {
  readonly run: string;
  /** The run's base. Rules and settings stay as they were approved there. */
  readonly base: string;
  /** The commit whose files say what the tasks may touch. */
  readonly tip: string;
  /** The plan as it stands. */
  readonly standing: { readonly plan: Plan; readonly files: PlanFiles };
  /** The plan's folder as it is to be, by path in the repository. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
  readonly identity: Identity;
  readonly at: Date;
}

/**
 * Keeps a revised plan as a commit in the control repository: the run's base, with the plan's folder replaced (and in
 * place of its one file, if it was that). No branch
 * of the user's has it; it lands, with the ticks of what is done, in the commit of the next task.
 */
export async function commitRevision(
  project: Project,
  request: RevisionRequest,
): Promise<Result<RevisedPlan, Failure<"unreadable">>> {
  const { control } = project;
  const { base, run, tip, standing, identity, at } = request;
  const { name, dir } = standing.plan;
  const tree = await treeWithFiles(control, base, { path: dir, files: folderOf(request), besides: [oneFileOf(name)] });
  const message = `Revision of plan ${name}\n\nStint-Plan: ${name}\nStint-Run: ${run}\n`;
  const commit = await commitTree(control, { tree, parent: base, message, identity, at });
  await compareAndSwapRef(control, revisionRef(run, commit), { next: commit, old: null });
  const { plan, hash: planHash } = await readCommittedPlan(project, { commit, plan: name });
  if (plan === undefined) return fail("unreadable", "the revision cannot be read as a plan");
  const paths = await listPaths(control, tip);
  return ok({ commit, planHash, tasks: specsOf(plan, paths), changes: diffTasks(standing.plan, plan) });
}

/** Paths inside the plan's folder. What was ticked says nothing: boxes are Stint's to tick. */
function folderOf({ documents, standing: { plan, files } }: RevisionRequest): Map<string, NewFile> {
  return new Map(
    [...documents].map(([path, bytes]) => {
      if (!path.startsWith(`${plan.dir}/`))
        throw new Error(`Internal error: expected a file of ${plan.dir}, but was ${path}`);
      const old = files.get(path);
      const executable = old !== undefined && "executable" in old;
      return [path.slice(plan.dir.length + 1), { bytes: unticked(path, plan, bytes), executable }];
    }),
  );
}

function unticked(path: string, { dir }: Plan, bytes: Uint8Array): Uint8Array {
  if (path !== `${dir}/plan.md`) return bytes;
  const cleared = tickExactly(bytes, new Set());
  return cleared.ok ? cleared.value : bytes;
}
