import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ok, type Failure, type Result } from "../base/result.ts";
import type { Control } from "../git/control.ts";
import type { Change } from "../git/diff.ts";
import { assertOid, joinNul } from "../git/names.ts";
import { gitOk } from "../git/run.ts";
import { changesWithFolders } from "../git/write-objects.ts";
import { inLayer, type LayerTools } from "../sandbox/layer.ts";
import type { Tree } from "../sandbox/tree-lookup.ts";
import { checkoutStyle, createCheckout, indexOf } from "./checkout.ts";
import { layerIn, workOf } from "./layered.ts";
import { workspaceLimits } from "./limits.ts";
import { execFile, removeTree } from "./remove.ts";
import { treeOf } from "./set-up.ts";
import { type Filled, fillSubmodules } from "./submodules.ts";

/** The files of a commit as git writes them. They are only read: whoever works with them has a layer above them. */
export interface TrackedFiles {
  readonly commit: string;
  /** The folders that have them; the last one has a whole commit, the one before it what differs from that. */
  readonly tree: Tree;
  readonly index: string;
  readonly submodules: Filled;
}

export type TrackedResult = Result<TrackedFiles, Failure<"set-up">>;

/** The repository, and the folder that has one folder per commit. */
interface Place {
  readonly control: Control;
  readonly dir: string;
}

interface SharedPlace extends Place {
  readonly layers: LayerTools;
}

/** Checks a commit out as a whole. */
export async function wholeFiles({ control, dir }: Place, commit: string): Promise<TrackedResult> {
  const tree = treeOf(join(dir, commit));
  await removeTree(join(dir, commit));
  const checkout = await createCheckout(control, { dir: tree, commit, ...checkoutStyle });
  const submodules = await fillSubmodules(control, checkout);
  return submodules.ok ? ok({ commit, tree: [tree], index: checkout.index, submodules: submodules.value }) : submodules;
}

/** Writes only what differs from another commit, unless that would not be all. */
export async function nextFiles(options: SharedPlace, commit: string, from: TrackedFiles): Promise<TrackedResult> {
  const { control, dir } = options;
  const changes = await changesWithFolders(control, from.commit, commit);
  if (changes.length > workspaceLimits.differenceMax || changes.some(reachesFurther))
    return await wholeFiles(options, commit);
  const home = join(dir, commit);
  const tree = treeOf(home);
  await removeTree(home);
  await mkdir(tree, { recursive: true, mode: 0o700 });
  const index = indexOf(tree);
  await copyFile(from.index, index);
  await writeChanged(control, { tree, index, commit, changes });
  // Later, because git would remove the marks as if they were the files.
  await hideRemoved(options, { home, lower: from.tree, changes });
  await mkdir(join(tree, ".git", "refs", "heads"), { recursive: true, mode: 0o700 });
  await writeFile(join(tree, ".git", "refs", "heads", checkoutStyle.branch), `${commit}\n`, { mode: 0o600 });
  await copyFile(index, join(tree, ".git", "index"));
  return ok({ commit, tree: [tree, ...from.tree], index, submodules: from.submodules });
}

/** Whether a change decides how other files are written, or its name is not one that text can say. */
export function reachesFurther({ path, oldMode, newMode }: Change): boolean {
  return (
    /(?:^|\/)\.git(?:attributes|modules)$/i.test(path) ||
    path.includes("\uFFFD") ||
    [oldMode, newMode].includes("160000")
  );
}

const [absent, folderMode] = ["000000", "040000"];

/** Lets the kernel mark what is gone; nothing may be marked that is there again as something else. */
async function hideRemoved(
  { layers }: SharedPlace,
  { home, lower, changes }: { readonly home: string; readonly lower: Tree; readonly changes: readonly Change[] },
): Promise<void> {
  const gone = new Set(changes.filter(({ newMode }) => newMode === absent).map(({ path }) => path));
  const parents = changes.filter(({ newMode }) => newMode !== absent).flatMap(({ path }) => [path, ...parentsOf(path)]);
  const stays = new Set(parents);
  const tops = [...gone].filter((path) => !stays.has(path) && !parentsOf(path).some((folder) => gone.has(folder)));
  if (tops.length === 0) return;
  const [unshare = "", ...rest] = inLayer(layers, await layerIn(home, lower), ["rm", "-rf", "--", ...tops]);
  await execFile(unshare, rest);
  await removeTree(workOf(home));
}

function parentsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** With one call, because each that writes an index writes all of it. */
async function writeChanged(
  control: Control,
  what: {
    readonly tree: string;
    readonly index: string;
    readonly commit: string;
    readonly changes: readonly Change[];
  },
): Promise<void> {
  const { tree, index, commit, changes } = what;
  const files = changes.filter(({ oldMode, newMode }) => ![oldMode, newMode].includes(folderMode));
  const written = new Set(files.filter(({ newMode }) => newMode !== absent).map(({ path }) => path));
  // What was below a folder goes with it where a file takes its place, and git no longer knows its name.
  const paths = files.map(({ path }) => path).filter((path) => !parentsOf(path).some((folder) => written.has(folder)));
  if (paths.length === 0) return;
  const listed = ["--no-overlay", "--pathspec-from-file=-", "--pathspec-file-nul"];
  const args = ["--literal-pathspecs", "checkout", "--quiet", ...listed, assertOid(commit), "--"];
  const place = { gitDir: control.dir, index, workTree: tree, cwd: tree };
  await gitOk(args, { ...place, stdin: joinNul(paths) });
}
