import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { diskFault } from "../base/disk-fault.ts";
import type { Control } from "../git/control.ts";
import type { Identity } from "../git/names.ts";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import { createCheckout, indexOf, removeCheckout, type Checkout } from "./checkout.ts";
import { whyPlanted, type MadeBySetup } from "./planted.ts";
import { readRegularFile } from "./fingerprint.ts";
import { restoreTree, type RestoreOptions } from "./restore.ts";
import { type Filled, fillSubmodules, noteSubmodules } from "./submodules.ts";
import { earlierSetup, setUp, shown, treeOf, type Furniture } from "./set-up.ts";
import { copyInto, keepInCache, type Reuse } from "./setup-cache.ts";
import { untrackedPaths } from "./snapshot.ts";
import { leavesTree, listUntracked, removeNewcomers, type Untracked } from "./untracked.ts";

/** A checkout in which set-up has been run. */
export interface Furnished {
  readonly request: FurnishRequest;
  readonly checkout: Checkout;
  /** The hash of our index, which is beside the tree and lists what belongs in it. */
  readonly indexHash: string;
  /** What set-up made. */
  readonly made: Untracked;
  /** Whether a link that set-up made leads out of the tree, where a change would not be noticed. */
  readonly linksOut: boolean;
}

export interface FurnishRequest {
  /** The folder of the tree and of the HOMEs of what runs in it. */
  readonly dir: string;
  readonly commit: string;
  /** The commit without the work that is being checked: set-up may not plant tests that it does not make there. */
  readonly without?: string | undefined;
  readonly branch: string | null;
  readonly identity: Identity;
  readonly logDir: string;
  readonly signal: AbortSignal;
}

export type FurnishResult = Result<Furnished, Failure<"set-up">>;

/** Makes a checkout at a commit and sets it up; a failed set-up is a failure, never a half-furnished room. */
export async function furnish(control: Control, furniture: Furniture, request: FurnishRequest): Promise<FurnishResult> {
  const { dir, commit, branch, identity, logDir } = request;
  const [checkout] = await Promise.all([
    shown(furniture, request, "making a checkout", () =>
      createCheckout(control, { dir: treeOf(dir), commit, branch, identity }),
    ),
    mkdir(logDir, { recursive: true, mode: 0o700 }),
  ]);
  const indexHash = await hashOf(checkout.index);
  const submodules = await fillSubmodules(control, checkout);
  if (!submodules.ok) return submodules;
  const bare = { checkout, indexHash, submodules: submodules.value };
  const furnished = await setUpOrReuse(control, { furniture, request }, bare);
  if (furnished.ok && bare.submodules.files.size > 0) await noteSubmodules(checkout, bare.submodules);
  return furnished;
}

async function setUpOrReuse(
  control: Control,
  { furniture, request }: { furniture: Furniture; request: FurnishRequest },
  bare: Pick<Bare, "checkout" | "indexHash" | "submodules">,
): Promise<FurnishResult> {
  const { checkout, indexHash, submodules } = bare;
  const { setup: command } = furniture;
  if (command === undefined) return ok({ request, checkout, indexHash, made: submodules.files, linksOut: false });
  const { found, reuse, done } = await earlierSetup(control, { furniture, command, ...request, submodules });
  try {
    if (found !== undefined) {
      const isCopied = await shown(furniture, request, "copying an earlier set-up", () =>
        copyInto(found.files, checkout.dir),
      );
      if (!isCopied) return await afresh(control, { ...furniture, cache: undefined }, request);
    }
    return await arrange(control, { furniture, command, request }, { ...bare, reuse, isFound: found !== undefined });
  } finally {
    done();
  }
}

interface Bare {
  readonly checkout: Checkout;
  readonly indexHash: string;
  readonly submodules: Filled;
  readonly reuse: Reuse | undefined;
  /** Whether what set-up makes is there already. */
  readonly isFound: boolean;
}

/** Runs set-up if its result was not in the cache, and records what is there besides the tree. */
async function arrange(
  control: Control,
  { furniture, command, request }: { furniture: Furniture; command: string; request: FurnishRequest },
  { checkout, indexHash, submodules, reuse, isFound }: Bare,
): Promise<FurnishResult> {
  const { dir } = request;
  const why = isFound ? undefined : await setUp(control, { furniture, command, ...request });
  if (why !== undefined) return fail("set-up", why);
  try {
    await restoreTree(control, checkout);
    await writeFile(join(dir, madeFile), JSON.stringify(await untrackedPaths(control, checkout)), { mode: 0o600 });
    const made = await listUntracked(control, checkout);
    const own = new Map([...made].filter(([path, seen]) => submodules.files.get(path) !== seen));
    // What is reused was made by a trusted commit, without the work.
    const planted = isFound
      ? undefined
      : await plantedIn({ dir: checkout.dir, made: own }, { control, furniture, request });
    if (planted !== undefined) return fail("set-up", planted);
    if (reuse !== undefined && !isFound)
      await shown(furniture, request, "keeping set-up for other checkouts", () =>
        keepInCache(reuse, { dir: checkout.dir, commit: request.commit, untracked: made }),
      );
    // Nothing outside the tree can be changed from inside a sandbox.
    const linksOut = furniture.sandbox.kind === "none" && leavesTree(checkout, made);
    return ok({ request, checkout, indexHash, made, linksOut });
  } catch (error) {
    if (diskFault([dir]) !== undefined) throw error;
    return fail("set-up", `set-up left a folder that cannot be used: ${(error as Error).message}`);
  }
}

async function plantedIn(
  room: MadeBySetup,
  { control, furniture, request }: { control: Control; furniture: Furniture; request: FurnishRequest },
): Promise<string | undefined> {
  const { without, commit } = request;
  if (without === undefined || without === commit) return undefined;
  const dir = `${request.dir}-without`;
  const logDir = join(request.logDir, "set-up-without");
  try {
    return await whyPlanted(room, async () => {
      // Not from the cache: this room may hold its turn there.
      const bare = { ...furniture, cache: undefined };
      const reference = await furnish(control, bare, {
        ...request,
        dir,
        logDir,
        commit: without,
        without: undefined,
      });
      return reference.ok ? { dir: reference.value.checkout.dir, made: reference.value.made } : undefined;
    });
  } finally {
    await removeCheckout(dir);
  }
}

/**
 * Makes a room what it was when furnished: newcomers go, tracked files are rehashed and restored, `.git` is rewritten.
 * Code run by a check can rewrite what set-up made, or make restoring impossible; then a new room is made.
 */
export async function refurnish(
  control: Control,
  room: Furnished,
  options: { readonly furniture: Furniture } & RestoreOptions,
): Promise<FurnishResult> {
  const isAsBefore = () =>
    shown(options.furniture, room.request, "restoring the checkout", () => isPutBack(control, room, options));
  if (!room.linksOut && (await isAsBefore())) return ok(room);
  return await afresh(control, options.furniture, room.request);
}

async function afresh(control: Control, furniture: Furniture, request: FurnishRequest): Promise<FurnishResult> {
  await removeCheckout(request.dir);
  return await furnish(control, furniture, request);
}

/** Treats any error as "no": nothing that code under check does to its room may stop a run. */
async function isPutBack(
  control: Control,
  { request, checkout, indexHash, made }: Furnished,
  options: RestoreOptions,
): Promise<boolean> {
  try {
    const folder = await lstat(request.dir);
    if (!folder.isDirectory() || (folder.mode & 0o700) !== 0o700) return false;
    if ((await readdir(request.dir)).some((name) => !belongsBeside.test(name))) return false;
    if ((await hashOf(checkout.index)) !== indexHash) return false;
    // Newcomers first: nothing that is read or written afterwards may depend on them.
    if (!(await removeNewcomers(control, checkout, made))) return false;
    await restoreTree(control, checkout, options);
    return true;
  } catch {
    return false;
  }
}

/** The names of what we put beside a tree; code that runs inside would find a `node_modules` there. */
const belongsBeside =
  /^(?:tree|tree\.(?:index|submodules)|set-up-made\.json|inbox|outbox|(?:home|tmp|heard)-\w{6}|entered-[0-9a-f]{12})$/;

async function hashOf(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readRegularFile(file))
    .digest("hex");
}

/** Finds a workspace as a session left it, with the paths that set-up had made there; undefined if there is none. */
export async function findFurnished({
  dir,
  commit,
  branch,
  identity,
}: Pick<FurnishRequest, "dir" | "commit" | "branch" | "identity">): Promise<
  { readonly checkout: Checkout; readonly madePaths: readonly string[] } | undefined
> {
  const tree = treeOf(dir);
  if ((await lstat(tree).catch(() => undefined)) === undefined) return undefined;
  const checkout = { dir: tree, index: indexOf(tree), commit, branch, identity };
  return { checkout, madePaths: await readMade(dir) };
}

/** This file is beside the tree, so that what set-up made is known after a crash. */
export const madeFile = "set-up-made.json";

/** Reads that file without trusting it, because an agent that is not confined can write it: what is not a path in the tree is dropped. */
export async function readMade(dir: string): Promise<string[]> {
  try {
    const made: unknown = JSON.parse((await readRegularFile(join(dir, madeFile))).toString("utf8"));
    return Array.isArray(made) ? made.filter((path) => isTreePath(path)) : [];
  } catch {
    return [];
  }
}

function isTreePath(path: unknown): path is string {
  if (typeof path !== "string" || path.includes("\0")) return false;
  return path !== "" && !path.startsWith("/") && !path.split("/").includes("..");
}
