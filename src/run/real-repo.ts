import { resumeCommand } from "../engine/run-name.ts";
import type { RunState } from "../engine/state.ts";
import { changedLines, changedPaths, diffText, nameOfChanges } from "../git/diff.ts";
import { treeWithFile, treeWithFolder, treeWithPaths } from "../git/edit-tree.ts";
import { mergeOnTip } from "../git/merge-on-tip.ts";
import { formatMessage } from "../git/commit-message.ts";
import type { Identity } from "../git/names.ts";
import { listTree, oidAt, readBlobs, treeOf } from "../git/objects.ts";
import { publish } from "../git/publish.ts";
import { push } from "../git/push.ts";
import { compareAndSwapRef, isAncestor } from "../git/refs.ts";
import { commitTree } from "../git/write-objects.ts";
import { promptsLimits } from "../prompts/limits.ts";
import { runLimits } from "./limits.ts";
import { workspaceLimits } from "../workspace/limits.ts";
import { headOf, isOfPlan, oneFileOf } from "../plan/plan-folder.ts";
import { tickedTasks, tickExactly, tickTask } from "../plan/tick.ts";
import { isQuickPlan } from "../plan/quick-plan.ts";
import { readableLines } from "../base/readable.ts";
import { shortened } from "../base/visible.ts";
import type { Inputs } from "../prompts/executor.ts";
import { selectInputs } from "../prompts/inputs.ts";
import type { ChangedText } from "../guards/content-guard.ts";
import { snapshot } from "../workspace/snapshot.ts";
import { rescueRef, runRef, sessionPaths, type runPaths } from "../project/paths.ts";
import type { AttemptKey } from "../engine/session.ts";
import type { ChangedPath, Collected, PlaceRequest, Placed, RepoPort } from "./ports.ts";
import type { Project } from "../project/project.ts";
import type { Workspaces } from "../workspace/real-workspaces.ts";

export interface RepoContext {
  readonly project: Project;
  readonly workspaces: Workspaces;
  readonly paths: ReturnType<typeof runPaths>;
  readonly state: RunState;
  readonly identity: Identity;
}

/** The run's ref, its commits and its workspaces, in the control repository and the scratch folder. */
export function realRepo(context: RepoContext): RepoPort {
  const { project, paths, state, workspaces } = context;
  const { control, repo } = project;
  const ref = runRef(state.run);
  const resume = resumeCommand(state);
  return {
    giveWorkspace: async (key, options) => {
      const why = await workspaces.give(key, options);
      if (why !== undefined) throw new Error(`${readableLines(why).join("\n")}\nCure that, then run \`${resume}\`.`);
    },
    collect: (key, options) => collect(context, key, options),
    removeWorkspace: workspaces.remove,
    inputs: (commit, sourceDocs) => inputs(context, commit, sourceDocs),
    rescueRef: (key) => rescueRef(state.run, key),
    workspacePath: (key) => sessionPaths(paths, key).tree,
    changes: (from, to) => changes(context, from, to),
    texts: (range, changed) => texts(context, range, changed),
    diff: (range) => diffText(control, range, promptsLimits.judgedDiffBytesMax),
    treeOf: (commit) => treeOf(control, commit),
    part: (range, paths) => part(context, range, paths),
    place: (request) => place(context, request),
    swapTip: async (next, old) => {
      const swapped = await compareAndSwapRef(control, ref, { next, old });
      return swapped === "moved" ? swapped : { actual: swapped.actual ?? "nowhere (it was deleted)" };
    },
    contains: async (tip, commit) => /^[0-9a-f]+$/.test(tip) && (await isAncestor(control, commit, tip)),
    publish: async (sha) => {
      const keepRef = `refs/stint/keep/${state.run}/tip`;
      const known = state.publication?.commit ?? state.base;
      const published = await publish(repo, control, { sha, branch: state.branch, keepRef, known, resume });
      return { deferred: published.kind === "published" ? null : published.why };
    },
    push: async (sha, { remote, signal }) => {
      const { branch } = state;
      const pushed = await push(repo, { sha, branch, remote, msMax: runLimits.pushMsMax, resume, signal });
      return pushed.kind === "pushed"
        ? { refused: null, lasting: false }
        : { refused: pushed.why, lasting: pushed.lasting };
    },
  };
}

async function collect(
  context: RepoContext,
  key: AttemptKey,
  { base, signal }: { readonly base: string; readonly signal: AbortSignal },
): Promise<Collected> {
  const { project, workspaces, identity, state } = context;
  const workspace = await workspaces.find(key, base);
  if (workspace === undefined) return { kind: "missing" };
  const taken = await snapshot(project.control, workspace.checkout, {
    base,
    identity,
    ref: rescueRef(state.run, key),
    at: new Date(),
    exclude: workspace.madePaths,
    below: workspace.below,
    signal,
    message: `Work of ${key.task}, attempt ${key.attempt}, as the session left it\n`,
  });
  if (taken.problems.length > 0) {
    await workspaces.makeWhole(key, base);
    const problems = taken.problems.map(({ path, message }) => ({
      path,
      why: shortened(message, runLimits.problemCharsMax),
    }));
    return { kind: "refused", problems };
  }
  if (taken.empty) return { kind: "empty" };
  const { commit, changes: made } = taken;
  return { kind: "candidate", commit, paths: made.map((change) => change.path), diff: nameOfChanges(made) };
}

/** Files that a revision brings for its tasks are in no commit of the run until it lands. */
async function inputs(
  { project: { control }, state }: RepoContext,
  commit: string,
  sourceDocs: readonly string[],
): Promise<Inputs> {
  if (sourceDocs.length === 0) return { files: new Map(), leftOut: [] };
  const revision = state.replanning.inForce?.commit ?? commit;
  const isOwn = (path: string) => isOfPlan(path, state.plan);
  const tree = (await listTree(control, commit, { sizes: true })).filter(({ path }) => !isOwn(path));
  const own = (await listTree(control, revision, { sizes: true })).filter(({ path }) => isOwn(path));
  const { taken, leftOut } = selectInputs([...tree, ...own], sourceDocs);
  const [files, revised] = await Promise.all([
    readBlobs(
      control,
      commit,
      taken.filter((path) => !isOwn(path)),
    ),
    readBlobs(control, revision, taken.filter(isOwn)),
  ]);
  return { files: new Map([...files, ...revised]), leftOut };
}

/** What git calls a symbolic link. */
const linkMode = "120000";

async function changes({ project }: RepoContext, from: string, to: string): Promise<ChangedPath[]> {
  const [paths, counts] = await Promise.all([
    changedPaths(project.control, from, to),
    changedLines(project.control, from, to),
  ]);
  const lines = new Map(counts.map(({ path, added, removed }) => [path, added + removed]));
  return paths.map(({ status, path, newMode }) => ({
    status: status === "T" ? "M" : status,
    path,
    lines: lines.get(path) ?? 0,
    ...(newMode === linkMode ? { isLink: true } : {}),
  }));
}

async function texts(
  { project: { control } }: RepoContext,
  { from, to }: { readonly from: string; readonly to: string },
  changed: readonly ChangedPath[],
): Promise<ChangedText[]> {
  const paths = changed.map(({ path }) => path);
  const [before, after] = await Promise.all([readBlobs(control, from, paths), readBlobs(control, to, paths)]);
  return changed.map((change) => {
    const sides = [before.get(change.path), after.get(change.path)] as const;
    const tooLarge = sides.some((bytes) => bytes !== undefined && bytes.length > workspaceLimits.guardedFileBytesMax);
    const [was, is] = sides.map((bytes) => (bytes === undefined || tooLarge ? null : bytes.toString("utf8")));
    return { ...change, before: was ?? null, after: is ?? null, tooLarge };
  });
}

async function part(
  { project: { control }, identity }: RepoContext,
  range: { readonly from: string; readonly to: string },
  paths: ReadonlySet<string>,
): Promise<string> {
  const tree = await treeWithPaths(control, range, paths);
  return commitTree(control, {
    tree,
    parent: range.from,
    message: "Changed tests on the code as it was",
    identity,
    at: new Date(),
  });
}

async function place(context: RepoContext, request: PlaceRequest): Promise<Placed> {
  const { project, identity } = context;
  const { control } = project;
  const { base, tip } = request;
  // Where git reads a tree, a commit names its own.
  const candidate = { commit: request.candidate, tree: request.candidate };
  const merged = await mergeOnTip(control, { tip, base, candidate });
  if (!merged.ok) return { kind: "conflict", paths: merged.failure.paths };
  const ticked = await tick(context, merged.value.tree, request);
  if (typeof ticked !== "string") return { kind: "unticked", why: ticked.why };
  const message = formatMessage({
    title: request.title,
    summary: request.summary,
    trailers: trailers(context, request),
  });
  const commit = await commitTree(control, { tree: ticked, parent: tip, message, identity, at: new Date(request.at) });
  const landing = tip === base ? [] : await changes(context, tip, commit);
  return { kind: "placed", placement: { commit, tree: ticked, changes: landing } };
}

async function tick(
  context: RepoContext,
  tree: string,
  { task, tip }: PlaceRequest,
): Promise<string | { readonly why: string }> {
  const { project, state } = context;
  const revision = state.replanning.inForce?.commit;
  if (revision !== undefined) return await overlay(context, tree, { task, tip, revision });
  const { path, bytes } = await headAt(context, tree);
  // A quick plan is in no tree, and so has no box there.
  if (bytes === undefined)
    return isQuickPlan(state.plan) ? await treeOf(project.control, tree) : { why: `${path} is gone` };
  const ticked = tickTask(bytes, task, path);
  return ticked.ok
    ? await treeWithFile(project.control, tree, { path, bytes: ticked.value })
    : { why: ticked.failure.message };
}

/** The document with the boxes, as a commit or tree has it. */
async function headAt({ project: { control }, state: { plan } }: RepoContext, commit: string) {
  const found = await readBlobs(control, commit, [headOf(plan, () => true), headOf(plan, () => false)]);
  const path = headOf(plan, (candidate) => found.has(candidate));
  return { path, bytes: found.get(path) };
}

/**
 * The plan's folder as the revision in force has it, whatever lay there, with the boxes ticked that are ticked on the tip
 * and the task's own: so the revised plan lands inside the commit of a task, and every commit of the run is one.
 */
async function overlay(
  context: RepoContext,
  tree: string,
  { task, tip, revision }: { readonly task: string; readonly tip: string; readonly revision: string },
): Promise<string | { readonly why: string }> {
  const { control } = context.project;
  const { plan } = context.state;
  const dir = `plans/${plan}`;
  const [before, { path, bytes }] = await Promise.all([headAt(context, tip), headAt(context, revision)]);
  if (bytes === undefined) throw new Error(`Internal error: expected ${path} in the revision ${revision}`);
  const done = tickedTasks(before.bytes ?? new Uint8Array(), before.path);
  const own = tickTask(bytes, task);
  if (!own.ok) return { why: own.failure.message };
  const ticked = tickExactly(bytes, new Set([...done, task]));
  if (!ticked.ok) return { why: ticked.failure.message };
  const whole = await treeWithFile(control, await treeOf(control, revision), { path, bytes: ticked.value });
  return await treeWithFolder(control, tree, {
    path: dir,
    oid: await oidAt(control, whole, dir),
    besides: [oneFileOf(plan)],
  });
}

function trailers({ state }: RepoContext, request: PlaceRequest): [string, string][] {
  const { task, attempt, checkCount, typedChecks } = request;
  const goal = shortened(state.goal, runLimits.goalTrailerCharsMax);
  return [
    ...(isQuickPlan(state.plan) ? ([["Stint-Goal", goal]] as [string, string][]) : []),
    ...typedChecks.map((check): [string, string] => ["Stint-Check", check]),
    ["Stint-Plan", state.plan],
    ["Stint-Run", state.run],
    ["Stint-Task", task],
    ["Stint-Attempt", String(attempt)],
    ["Stint-Verified", `${checkCount} checks`],
  ];
}
