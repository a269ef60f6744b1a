import { createHash } from "node:crypto";
import { lstat, mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { UserEnvironment } from "../agents/environment.ts";
import type { Control } from "../git/control.ts";
import type { Identity } from "../git/names.ts";
import { limits } from "../limits.ts";
import type { Redactor } from "../redact.ts";
import { fail, ok, type Failure, type Result } from "../result.ts";
import { checkEnvironment } from "../verify/room-environment.ts";
import { runCommand } from "../verify/run-command.ts";
import { createCheckout, indexOf, removeCheckout, type Checkout } from "./checkout.ts";
import { readRegularFile } from "./regular-file.ts";
import { restoreTree, type RestoreOptions } from "./restore.ts";
import { untrackedPaths } from "./snapshot.ts";
import { leavesTree, listUntracked, removeNewcomers, type Untracked } from "./untracked.ts";

/** What every checkout of a run gets besides its files. */
export interface Furniture {
  readonly userEnv: UserEnvironment;
  /** Names let through to set-up and checks. */
  readonly envNames: readonly string[];
  readonly setup: string | undefined;
  /** Strikes secrets out of what set-up and checks print. */
  readonly redact?: Redactor | undefined;
}

/** A checkout in which set-up has been run. */
export interface Furnished {
  readonly request: FurnishRequest;
  readonly checkout: Checkout;
  /** Of our index, which lies beside the tree and says what belongs into it. */
  readonly indexHash: string;
  /** What set-up made. */
  readonly made: Untracked;
  /** Whether a link that set-up made leads out of the tree, to where a change would not be seen. */
  readonly linksOut: boolean;
}

export interface FurnishRequest {
  /** Holds the tree and the HOMEs of what is run in it. */
  readonly dir: string;
  readonly commit: string;
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
    createCheckout(control, { dir: join(dir, "tree"), commit, branch, identity }),
    mkdir(logDir, { recursive: true, mode: 0o700 }),
  ]);
  const indexHash = await hashOf(checkout.index);
  if (furniture.setup === undefined) return ok({ request, checkout, indexHash, made: new Map(), linksOut: false });
  const why = await setUp(furniture, furniture.setup, { request, checkout });
  if (why !== undefined) return fail("set-up", why);
  try {
    await restoreTree(control, checkout);
    await writeFile(join(dir, madeFile), JSON.stringify(await untrackedPaths(control, checkout)), { mode: 0o600 });
    const made = await listUntracked(control, checkout);
    return ok({ request, checkout, indexHash, made, linksOut: leavesTree(checkout, made) });
  } catch (error) {
    return fail("set-up", `set-up left a folder that cannot be used: ${(error as Error).message}`);
  }
}

/**
 * Makes a room what it was when furnished: newcomers go, tracked files are rehashed and restored, `.git` is rewritten.
 * Code run by a check can rewrite what set-up made, or make putting back impossible; then the room is made anew.
 */
export async function refurnish(
  control: Control,
  room: Furnished,
  options: { readonly furniture: Furniture } & RestoreOptions,
): Promise<FurnishResult> {
  if (!room.linksOut && (await isPutBack(control, room, options))) return ok(room);
  await removeCheckout(room.request.dir);
  return await furnish(control, options.furniture, room.request);
}

/** Any error counts as "no": nothing that code under check does to its room may stop a run. */
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

/** What we put beside a tree; a `node_modules` there would be found by what runs inside. */
const belongsBeside = /^(?:tree|tree\.index|set-up-made\.json|inbox|outbox|(?:home|tmp)-\w{6})$/;

async function hashOf(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readRegularFile(file))
    .digest("hex");
}

/** A HOME and a temporary folder that nobody has used before, and the environment that points there. */
export async function freshEnvironment({ userEnv, envNames }: Furniture, dir: string): Promise<Record<string, string>> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const home = await mkdtemp(join(dir, "home-"));
  const tmp = await mkdtemp(join(dir, "tmp-"));
  return checkEnvironment({ userEnv, home, tmp, extra: envNames });
}

/** A workspace as a session left it, with the paths set-up had made there; undefined where there is none. */
export async function findFurnished({
  dir,
  commit,
  branch,
  identity,
}: Pick<FurnishRequest, "dir" | "commit" | "branch" | "identity">): Promise<
  { readonly checkout: Checkout; readonly madePaths: readonly string[] } | undefined
> {
  const tree = join(dir, "tree");
  if ((await lstat(tree).catch(() => undefined)) === undefined) return undefined;
  const checkout = { dir: tree, index: indexOf(tree), commit, branch, identity };
  return { checkout, madePaths: await readMade(dir) };
}

/** Lies beside the tree, so that what set-up made is known again after a crash. */
const madeFile = "set-up-made.json";

/** An agent that is not confined can write there too, so it is read as anybody's: what is no path in the tree is dropped. */
async function readMade(dir: string): Promise<string[]> {
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

/** Why set-up failed: a line for people, then its output. */
async function setUp(
  furniture: Furniture,
  command: string,
  { request, checkout }: Pick<Furnished, "request" | "checkout">,
): Promise<string | undefined> {
  const { dir, logDir, signal } = request;
  const env = await freshEnvironment(furniture, dir);
  const logFile = join(logDir, "setup.log");
  const timeoutMs = limits.setupTimeoutMs;
  const { redact } = furniture;
  const ended = await runCommand({ command, cwd: checkout.dir, within: dir, env, timeoutMs, logFile, redact, signal });
  signal.throwIfAborted();
  if (ended.kind === "exited" && ended.code === 0) return undefined;
  const how =
    ended.kind === "exited" ? `exit ${ended.code}` : ended.kind === "exceeded" ? `used ${ended.what}` : ended.kind;
  return `set-up failed (${how}): ${command}\n${ended.tail}`;
}
