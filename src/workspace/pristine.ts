import { randomUUID } from "node:crypto";
import { existsSync, renameSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { diskFault } from "../base/disk-fault.ts";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import type { Tree } from "../sandbox/tree-lookup.ts";
import type { Control } from "../git/control.ts";
import { parseIndex } from "../git/index-file.ts";
import { splitNul } from "../git/names.ts";
import { gitOk } from "../git/run.ts";
import { inLayer, type LayerTools } from "../sandbox/layer.ts";
import { readRegularFile } from "./fingerprint.ts";
import type { Caches } from "./caches.ts";
import { hidesTracked, homeIn, layerIn, moveUntracked } from "./layered.ts";
import { workspaceLimits } from "./limits.ts";
import { whyPlanted, type MadeBySetup } from "./planted.ts";
import { removeTree } from "./remove.ts";
import { earlierSetup, setUp, shown, treeOf, type Furniture } from "./set-up.ts";
import { copyInto, keepInCache } from "./setup-cache.ts";
import { nextFiles, wholeFiles, type TrackedFiles, type TrackedResult } from "./tracked-files.ts";
import { listBesides, trackedIn } from "./untracked.ts";

/** The files of a commit, set up. */
export interface Pristine {
  readonly tracked: TrackedFiles;
  readonly tree: Tree;
  /** The folder of what set-up made; undefined if there is no set-up. */
  readonly made: string | undefined;
  /** The folder of the caches that set-up left in its HOME; absent if there are none. */
  readonly home?: string | undefined;
}

export type PristineResult = Result<Pristine, Failure<"set-up">>;

export interface PristineRequest {
  readonly commit: string;
  /** The commit without the work that is being checked: set-up may not plant tests that it does not make there. */
  readonly without?: string | undefined;
  readonly logDir: string;
  readonly signal: AbortSignal;
}

/** A tree that stays until it is released. */
export interface Held {
  readonly made: PristineResult;
  readonly release: () => void;
}

/** The trees of commits, each made once, from what differs from another. */
export interface Trees {
  /** Returns the tracked files of a commit, without set-up. */
  readonly tracked: (commit: string) => Promise<TrackedResult>;
  readonly hold: (request: PristineRequest) => Promise<Held>;
  /** Forgets all trees and removes their folders. */
  readonly remove: () => Promise<void>;
}

export interface TreeOptions {
  readonly control: Control;
  readonly furniture: Furniture;
  readonly layers: LayerTools;
  readonly dir: string;
  /** Absent where nothing of a HOME is kept. */
  readonly caches?: Caches | undefined;
}

export function pristineTrees(options: TreeOptions): Trees {
  const files = new Map<string, Promise<TrackedResult>>();
  const kept = new Map<string, Kept>();
  let whole: string | undefined;
  const tracked = async (commit: string): Promise<TrackedResult> => {
    const base = whole === undefined ? undefined : files.get(whole);
    const made =
      files.get(commit) ??
      (base === undefined
        ? wholeFiles(options, commit)
        : base.then((from) => (from.ok ? nextFiles(options, commit, from.value) : from)));
    whole ??= commit;
    files.set(commit, made);
    const result = await made.catch((error: unknown) => {
      files.delete(commit);
      throw error;
    });
    if (!result.ok) files.delete(commit);
    else if (result.value.tree.length === 1) whole = commit;
    return result;
  };
  const hold = async (request: PristineRequest): Promise<Held> => {
    const { commit, logDir, signal } = request;
    await mkdir(logDir, { recursive: true, mode: 0o700 });
    const tree = kept.get(commit) ?? { request, made: furnishTree(options, request, trees), users: 0 };
    // The one that was used last comes last.
    kept.delete(commit);
    kept.set(commit, tree);
    tree.users += 1;
    const release = () => {
      tree.users -= 1;
      void removeUnused(options.dir, kept).catch(() => undefined);
    };
    try {
      const made = await tree.made;
      if (!made.ok) forget(kept, tree);
      else if (!(await isStillThere(made.value))) {
        forget(kept, tree);
        release();
        return await hold(request);
      }
      return { made, release };
    } catch (error) {
      forget(kept, tree);
      release();
      // Who asked first may have been stopped meanwhile, which is no reason to stop the others.
      if (tree.request.signal.aborted && !signal.aborted) return await hold(request);
      throw error;
    }
  };
  const remove = async () => {
    files.clear();
    kept.clear();
    whole = undefined;
    await removeTree(options.dir);
  };
  const trees = { tracked, hold, remove };
  return trees;
}

/** A tree that was made, or is being made, and how many work with it. */
interface Kept {
  readonly request: PristineRequest;
  readonly made: Promise<PristineResult>;
  users: number;
}

function forget(kept: Map<string, Kept>, tree: Kept): void {
  if (kept.get(tree.request.commit) === tree) kept.delete(tree.request.commit);
}

/** What set-up made may be in the cache, where other runs make room for their own: what is in use must look used. */
async function isStillThere({ made, home }: Pristine): Promise<boolean> {
  const folders = [made, home].filter((folder) => folder !== undefined);
  const now = new Date();
  for (const folder of folders) await utimes(dirname(folder), now, now).catch(() => undefined);
  return folders.every((folder) => existsSync(folder));
}

/** Removes what set-up made of commits that were not used for longest; their files cost little and stay. */
async function removeUnused(dir: string, kept: Map<string, Kept>): Promise<void> {
  const idle = [...kept].filter(([, { users }]) => users === 0).map(([commit]) => commit);
  for (const commit of idle.slice(0, Math.max(0, idle.length - workspaceLimits.treesKeptMax))) {
    kept.delete(commit);
    // Under other names, and both at once, because they may be made again meanwhile.
    const asides = [madeOf(dir, commit), homeOf(dir, commit)].flatMap((folder) => {
      const aside = join(dir, `unused-${randomUUID()}`);
      return renameIfThere(folder, aside) ? [aside] : [];
    });
    for (const aside of asides) await removeTree(aside);
  }
}

function renameIfThere(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function madeOf(dir: string, commit: string): string {
  return join(dir, commit, "made");
}

function homeOf(dir: string, commit: string): string {
  return join(dir, commit, "home");
}

/** Sets the files of a commit up, or takes what an earlier set-up made of the same inputs. */
async function furnishTree(options: TreeOptions, request: PristineRequest, trees: Trees): Promise<PristineResult> {
  const { furniture, dir } = options;
  const { commit } = request;
  const tracked = await shown(furniture, request, "making a checkout", () => trees.tracked(commit));
  if (!tracked.ok) return tracked;
  const { setup: command } = furniture;
  if (command === undefined) return ok({ tracked: tracked.value, tree: tracked.value.tree, made: undefined });
  const room = await mkdtemp(join(dir, "set-up-"));
  try {
    const layer = await layerIn(room, tracked.value.tree);
    const about = { furniture, command, ...request, dir: room, layer, submodules: tracked.value.submodules };
    const { found, reuse, done } = await earlierSetup(options.control, about);
    try {
      const earlier = found && (await besidesTracked(options, { found: found.files, room, files: tracked.value }));
      if (earlier !== undefined) return ok({ ...withMade(tracked.value, earlier), home: found?.home });
      const made = await makeSetup(options, { request, about, files: tracked.value, trees });
      if (made.ok && reuse !== undefined && made.value.made !== undefined) {
        const { made: folder, home } = made.value;
        const kept = { dir: folder, home, commit, untracked: allIn(folder) };
        await shown(furniture, request, "keeping set-up for other checkouts", () => keepInCache(reuse, kept));
      }
      return made;
    } finally {
      done();
    }
  } finally {
    await removeTree(room);
  }
}

/**
 * Returns the folder of what set-up made earlier, of another commit perhaps. If this commit tracks some of these files, they
 * are left out of a copy; undefined means that there is none.
 */
async function besidesTracked(
  { control, dir }: TreeOptions,
  { found, room, files }: { readonly found: string; readonly room: string; readonly files: TrackedFiles },
): Promise<string | undefined> {
  const tracked = trackedIn(parseIndex(await readRegularFile(files.index), control.objectFormat));
  if (!hidesTracked(found, tracked)) return found;
  const [copy, made] = [join(room, "copy"), madeOf(dir, files.commit)];
  await mkdir(copy);
  if (!(await copyInto(found, copy))) return undefined;
  await removeTree(made);
  await moveUntracked(copy, made, tracked);
  return made;
}

function withMade(tracked: TrackedFiles, made: string): Pristine {
  return { tracked, made, tree: [made, ...tracked.tree] };
}

function allIn(dir: string): MadeBySetup["made"] {
  return listBesides(dir, { files: new Set(), folders: new Set() });
}

async function makeSetup(
  { control, dir, caches }: TreeOptions,
  {
    request,
    about,
    files,
    trees,
  }: {
    readonly request: PristineRequest;
    readonly about: Parameters<typeof setUpInHome>[1];
    readonly files: TrackedFiles;
    readonly trees: Trees;
  },
): Promise<PristineResult> {
  const ended = await setUpInHome({ control, dir, caches }, about);
  if (!ended.ok) return ended;
  const home = ended.value;
  const made = madeOf(dir, files.commit);
  try {
    await removeTree(made);
    const entries = parseIndex(await readRegularFile(files.index), control.objectFormat);
    await moveUntracked(treeOf(about.dir), made, trackedIn(entries));
    const planted = await plantedIn({ dir: made, made: allIn(made) }, request, trees);
    return planted === undefined ? ok({ ...withMade(files, made), home }) : fail("set-up", planted);
  } catch (error) {
    if (request.signal.aborted || diskFault([dir]) !== undefined) throw error;
    return fail("set-up", `set-up left a folder that cannot be used: ${(error as Error).message}`);
  }
}

/** Runs set-up above the caches that it may have; returns the folder of those that it left. */
async function setUpInHome(
  { control, dir, caches }: Pick<TreeOptions, "control" | "dir" | "caches">,
  about: Parameters<typeof setUp>[1] & { readonly commit: string },
): Promise<Result<string | undefined, Failure<"set-up">>> {
  const { commit } = about;
  const held = await caches?.forSetup(commit);
  try {
    const homeLayer = held === undefined ? undefined : await homeIn(about.dir, held.lower);
    const why = await setUp(control, { ...about, homeLayer });
    if (why !== undefined) return fail("set-up", why);
    const to = homeOf(dir, commit);
    const isLeft = homeLayer !== undefined && (await caches?.keepSetup({ commit, home: homeLayer.upper, to })) === true;
    return ok(isLeft ? to : undefined);
  } finally {
    held?.release();
  }
}

async function plantedIn(room: MadeBySetup, request: PristineRequest, trees: Trees): Promise<string | undefined> {
  const { without, commit } = request;
  if (without === undefined || without === commit) return undefined;
  const logDir = join(request.logDir, "set-up-without");
  let held: Held | undefined;
  try {
    return await whyPlanted(room, async () => {
      held = await trees.hold({ commit: without, logDir, signal: request.signal });
      const dir = held.made.ok ? held.made.value.made : undefined;
      return dir === undefined ? undefined : { dir, made: allIn(dir) };
    });
  } finally {
    held?.release();
  }
}

/** Lists what set-up made that git would add to a commit. */
export async function addableIn(
  { control, layers, dir }: Pick<TreeOptions, "control" | "layers" | "dir">,
  { made, tracked }: Pristine,
): Promise<string[]> {
  if (made === undefined) return [];
  const index = join(dir, `index-${randomUUID()}`);
  await copyFile(tracked.index, index);
  const layer = { lower: tracked.tree, upper: made };
  const place = {
    gitDir: control.dir,
    workTree: made,
    index,
    enter: (argv: readonly string[]) => inLayer(layers, layer, argv),
  };
  try {
    const output = await gitOk(["ls-files", "--others", "--exclude-standard", "-z"], place);
    return splitNul(output).map((path) => path.toString("utf8"));
  } finally {
    await rm(index, { force: true });
  }
}
