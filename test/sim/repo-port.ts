import { rescueRef, runPaths, runRef, sessionPaths } from "../../src/project/paths.ts";
import type { AttemptKey } from "../../src/engine/session.ts";
import type { ChangedPath, Collected, Placed, PlaceRequest, RepoPort } from "../../src/run/ports.ts";
import type { RunState } from "../../src/engine/state.ts";
import { tickTask } from "../../src/plan/tick.ts";
import { selectInputs } from "../../src/prompts/inputs.ts";
import { span } from "./chances.ts";
import { planNow } from "./planner.ts";
import { planText } from "./plans.ts";
import type { SimProcess } from "./process.ts";
import { changedPaths, hash, merge, type Repository, type Tree } from "./repository.ts";
import type { Surroundings } from "./surroundings.ts";
import { freshWorkspace, nameOf, removeInBackground } from "./workspaces.ts";

/** The repository as one driver reaches it. */
export function repoPort(world: Surroundings, driver: SimProcess, state: RunState): RepoPort {
  const { repository } = world;
  const paths = runPaths(world.paths, state.run);
  const git = gitOf(world, driver);
  const ref = runRef(state.run);
  return {
    giveWorkspace: (key, { base, signal, stillOwn }) =>
      git("give a workspace", { signal }, () => {
        if (world.dice.chance(world.faults.setup))
          throw new Error("set-up failed\nCure that, then run `stint resume`.");
        const dir = paths.workspace(key);
        freshWorkspace(world, driver, { dir, base, stillOwn });
        repository.workspaces.get(dir)!.freshFor = null;
      }),
    collect: (key, { base, signal }) =>
      git("collect", { signal }, () => collect(world, driver, { key, base, state, dir: paths.workspace(key) })),
    removeWorkspace: (key) => removeInBackground(world, driver, paths.workspace(key)),
    inputs: (commit, docs) => git("read inputs", {}, () => inputs(repository.treeOf(commit), docs)),
    rescueRef: (key) => rescueRef(state.run, key),
    workspacePath: (key) => sessionPaths(paths, key).tree,
    changes: (from, to) => git("diff", {}, () => changes(repository.treeOf(from), repository.treeOf(to))),
    texts: ({ from, to }, changed) => git("read files", {}, () => texts(repository, { from, to }, changed)),
    diff: ({ from, to }) =>
      git("diff", {}, () => ({ text: diff(repository.treeOf(from), repository.treeOf(to)), truncated: false })),
    treeOf: (commit) => git("read a tree", {}, () => repository.treeId(repository.treeOf(commit))),
    part: ({ from, to }, paths) => git("make a part", {}, () => part(repository, { from, to }, paths)),
    place: (request) => git("place", {}, () => place(world, state, request)),
    swapTip: (next, old) =>
      git("swap the tip", {}, () => {
        const actual = repository.refs.get(ref);
        if (actual !== old) return { actual: actual ?? "nowhere (it was deleted)" };
        repository.moveRef(ref, next, driver);
        return "moved";
      }),
    contains: (tip, commit) => git("look for a commit", {}, () => repository.isAncestor(commit, tip)),
    publish: (commit) => publish(world, driver, { commit, state }),
    push: (commit, { signal }) => git("push", { signal }, () => push(world, driver, { commit, branch: state.branch })),
  };
}

type Git = <T>(call: string, options: { readonly signal?: AbortSignal }, work: () => T) => Promise<T>;

/** Calls of git: they take their time, may fail before or after their work, and are sometimes heard of late. */
function gitOf(world: Surroundings, driver: SimProcess): Git {
  const { dice } = world;
  return async (call, options, work) => {
    const failure = dice.chance(world.faults.git) ? dice.pick(["before", "after"] as const) : null;
    const isLate = dice.chance(0.1);
    const done = await driver.call(call, { ms: span(dice), ...options }, () => {
      if (failure === "before") throw new Error(`git: ${call} failed`);
      return work();
    });
    if (isLate) await driver.call(`hear of ${call}`, { ms: span(dice), ...options }, () => {});
    if (failure === "after") throw new Error(`git: ${call} failed at last`);
    return done;
  };
}

interface ToCollect {
  readonly key: AttemptKey;
  readonly base: string;
  readonly state: RunState;
  readonly dir: string;
}

/** What no commit can hold, such as a pipe. */
export const unsavable = "\0pipe";

function collect(world: Surroundings, driver: SimProcess, { key, base, state, dir }: ToCollect): Collected {
  const { repository, timeline } = world;
  const workspace = repository.workspaces.get(dir);
  if (workspace === undefined) return { kind: "missing" };
  const before = repository.treeOf(base);
  const odd = [...workspace.files].filter(([, text]) => text === unsavable).map(([path]) => path);
  const files = new Map(workspace.files);
  for (const path of odd) files.delete(path);
  const paths = changedPaths(before, files);
  const commit = repository.commit(base, files, `Work of ${nameOf(key)} at ${timeline.wall()}`);
  if (paths.length > 0) repository.moveRef(rescueRef(state.run, key), commit, driver);
  if (odd.length > 0) return { kind: "refused", problems: odd.map((path) => ({ path, why: "is a pipe" })) };
  if (paths.length === 0) return { kind: "empty" };
  const facts = paths.map((path) => [path, files.get(path)]);
  return { kind: "candidate", commit, paths, diff: hash(JSON.stringify(facts)) };
}

function inputs(tree: Tree, docs: readonly string[]) {
  const listed = [...tree].map(([path, text]) => ({ path, mode: "100644", size: text.length }));
  const { taken, leftOut } = docs.length === 0 ? { taken: [], leftOut: [] } : selectInputs(listed, docs);
  return { files: new Map(taken.map((path) => [path, Buffer.from(tree.get(path) ?? "")])), leftOut };
}

function changes(before: Tree, after: Tree): ChangedPath[] {
  return changedPaths(before, after).map((path) => {
    const [was, is] = [before.get(path), after.get(path)];
    const status = was === undefined ? "A" : is === undefined ? "D" : "M";
    return { status, path, lines: linesBeside(was, is) + linesBeside(is, was) };
  });
}

/** How many lines of a text another one has not. */
function linesBeside(text = "", other = ""): number {
  const others = new Set(other.split("\n"));
  return text.split("\n").filter((line) => line !== "" && !others.has(line)).length;
}

function texts(repository: Repository, { from, to }: Range, changed: readonly ChangedPath[]) {
  const [before, after] = [repository.treeOf(from), repository.treeOf(to)];
  return changed.map((change) => {
    const { path } = change;
    return { ...change, before: before.get(path) ?? null, after: after.get(path) ?? null, tooLarge: false };
  });
}

interface Range {
  readonly from: string;
  readonly to: string;
}

function diff(before: Tree, after: Tree): string {
  const shown = changedPaths(before, after).map((path) => {
    const lines = (text: string | undefined, sign: string) => (text ?? "").replaceAll(/^(?=.)/gm, sign);
    return `--- ${path}\n+++ ${path}\n${lines(before.get(path), "-")}${lines(after.get(path), "+")}`;
  });
  return shown.join("");
}

function part(repository: Repository, { from, to }: Range, paths: ReadonlySet<string>): string {
  const [tree, after] = [new Map(repository.treeOf(from)), repository.treeOf(to)];
  for (const path of paths) {
    const text = after.get(path);
    if (text === undefined) tree.delete(path);
    else tree.set(path, text);
  }
  return repository.commit(from, tree, "part");
}

function place(world: Surroundings, state: RunState, request: PlaceRequest): Placed {
  const { repository } = world;
  const { plan, run } = state;
  const { base, tip, candidate, task, attempt, at } = request;
  const [below, onto] = [repository.treeOf(base), repository.treeOf(tip)];
  const { tree, conflicts } = merge(below, onto, repository.treeOf(candidate));
  if (conflicts.length > 0) return { kind: "conflict", paths: conflicts };
  const path = `plans/${plan}/plan.md`;
  const text = state.replanning.inForce === null ? tree.get(path) : revisedText(world, state);
  if (text === undefined) return { kind: "unticked", why: `${path} is gone` };
  const ticked = tickTask(Buffer.from(text), task);
  if (!ticked.ok) return { kind: "unticked", why: ticked.failure.message };
  const landing = new Map(tree).set(path, Buffer.from(ticked.value).toString());
  const commit = repository.commit(tip, landing, `${request.title}\n\n${run} ${task}.${attempt} at ${at}`);
  const changed = tip === base ? [] : changes(onto, landing);
  return { kind: "placed", placement: { commit, tree: repository.treeId(landing), changes: changed } };
}

/** The revised plan lands with the next task, with what was ticked before. */
function revisedText(world: Surroundings, state: RunState): string {
  const bytes = Buffer.from(planText(planNow(world, state).tasks));
  const ticked = state.landed.reduce<Uint8Array>((text, { task }) => {
    const next = tickTask(text, task);
    return next.ok ? next.value : text;
  }, bytes);
  return Buffer.from(ticked).toString();
}

/** The keep ref first; then the branch, by fast-forward or from where the run itself had put it. */
async function publish(
  world: Surroundings,
  driver: SimProcess,
  { commit, state }: { readonly commit: string; readonly state: RunState },
): Promise<{ deferred: string | null }> {
  const { repository, dice, faults } = world;
  const git = gitOf(world, driver);
  const known = state.publication?.commit ?? state.base;
  const { branch, run } = state;
  await git("keep what is published", {}, () => repository.moveRef(`refs/stint/keep/${run}/tip`, commit, driver));
  return git("publish", {}, () => {
    const old = repository.branches.get(branch);
    if (old === commit) return { deferred: null };
    if (dice.chance(faults.checkedOut)) return { deferred: `Branch ${branch} is checked out in /elsewhere.` };
    if (old !== undefined && old !== known && !repository.isAncestor(old, commit))
      return { deferred: `Branch ${branch} has diverged: it is at ${old}, the run is at ${commit}.` };
    repository.moveBranch(branch, commit, driver);
    return { deferred: null };
  });
}

function push(
  { repository, dice, faults }: Surroundings,
  driver: SimProcess,
  { commit, branch }: { readonly commit: string; readonly branch: string },
): { refused: string | null; lasting: boolean } {
  if (dice.chance(faults.push)) return { refused: "the remote cannot be reached", lasting: dice.chance(0.3) };
  const old = repository.remote.get(branch);
  if (old !== undefined && !repository.isAncestor(old, commit))
    return { refused: `Branch ${branch} at the remote has commits that this run does not have.`, lasting: true };
  if (old !== commit) repository.moveRemote(branch, commit, driver);
  return { refused: null, lasting: false };
}
