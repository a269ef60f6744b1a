import { createHash } from "node:crypto";
import { lstat, mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { UserEnvironment } from "../process/environment.ts";
import { diskFault } from "../base/disk-fault.ts";
import { type Control, objectDirs } from "../git/control.ts";
import type { Identity } from "../git/names.ts";
import { workspaceLimits } from "./limits.ts";
import type { Redactor } from "../base/redact.ts";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import type { Enclosure, Sandbox } from "../sandbox/sandbox.ts";
import { checkEnvironment } from "../checks/room-environment.ts";
import { whyNotFound } from "../checks/crlf-script.ts";
import { runCommand } from "../checks/run-command.ts";
import type { CommandWatch } from "../checks/running-command.ts";
import { createCheckout, indexOf, removeCheckout, type Checkout } from "./checkout.ts";
import { whyPlanted, type MadeBySetup } from "./planted.ts";
import { readRegularFile } from "./fingerprint.ts";
import { restoreTree, type RestoreOptions } from "./restore.ts";
import { type Filled, fillSubmodules, noteSubmodules } from "./submodules.ts";
import { keepInCache, takeOrFill, type SetupCache, type SetupKey, type Turn } from "./setup-cache.ts";
import { setupKey } from "./setup-key.ts";
import { untrackedPaths } from "./snapshot.ts";
import { leavesTree, listUntracked, removeNewcomers, type Untracked } from "./untracked.ts";

/** What every checkout of a run gets besides its files. */
export interface Furniture {
  readonly userEnv: UserEnvironment;
  /** Names of variables that set-up and checks get. */
  readonly envNames: readonly string[];
  readonly setup: string | undefined;
  /** Removes secrets from what set-up and checks print. */
  readonly redact?: Redactor | undefined;
  readonly sandbox: Sandbox;
  /** Is called with each set-up and each check that starts, and with what else may take long in a large repository. */
  readonly watch?: CommandWatch | undefined;
  /** Absent if nothing may be reused; code that is not confined can reach it. */
  readonly cache?: SetupCache | undefined;
}

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

/** Lets people see by name what takes long and is no command of theirs. */
async function shown<T>(
  { watch }: Furniture,
  { logDir }: FurnishRequest,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const ended = watch?.({ name, logFile: join(logDir, "no-output") });
  try {
    return await work();
  } finally {
    ended?.();
  }
}

async function setUpOrReuse(
  control: Control,
  { furniture, request }: { furniture: Furniture; request: FurnishRequest },
  bare: Pick<Bare, "checkout" | "indexHash" | "submodules">,
): Promise<FurnishResult> {
  const { checkout, indexHash, submodules } = bare;
  const { setup: command } = furniture;
  if (command === undefined) return ok({ request, checkout, indexHash, made: submodules.files, linksOut: false });
  const reuse = await findReuse(control, { furniture, command, request, submodules });
  const turn: Turn =
    reuse === undefined
      ? { found: "absent", done: () => undefined }
      : await takeOrFill(reuse.cache, reuse.key, {
          checkout,
          signal: request.signal,
          shown: (name, work) => shown(furniture, request, name, work),
        });
  if (turn.found === "spoiled") return await afresh(control, { ...furniture, cache: undefined }, request);
  try {
    return await arrange(control, { furniture, command, request }, { ...bare, reuse, found: turn.found });
  } finally {
    turn.done();
  }
}

interface Bare {
  readonly checkout: Checkout;
  readonly indexHash: string;
  readonly submodules: Filled;
  readonly reuse: Awaited<ReturnType<typeof findReuse>>;
  readonly found: "taken" | "absent";
}

/** Runs set-up if its result was not in the cache, and records what is there besides the tree. */
async function arrange(
  control: Control,
  { furniture, command, request }: { furniture: Furniture; command: string; request: FurnishRequest },
  { checkout, indexHash, submodules, reuse, found }: Bare,
): Promise<FurnishResult> {
  const { dir } = request;
  const why = found === "taken" ? undefined : await setUp(control, { furniture, command, request });
  if (why !== undefined) return fail("set-up", why);
  try {
    await restoreTree(control, checkout);
    await writeFile(join(dir, madeFile), JSON.stringify(await untrackedPaths(control, checkout)), { mode: 0o600 });
    const made = await listUntracked(control, checkout);
    const own = new Map([...made].filter(([path, seen]) => submodules.files.get(path) !== seen));
    // What is reused was made by a trusted commit, without the work.
    const planted =
      found === "taken" ? undefined : await plantedIn({ checkout, made: own }, { control, furniture, request });
    if (planted !== undefined) return fail("set-up", planted);
    if (reuse !== undefined && found === "absent")
      await shown(furniture, request, "keeping set-up for other checkouts", () =>
        keepInCache(reuse.cache, reuse.key, { checkout, untracked: made }),
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
      return reference.ok ? reference.value : undefined;
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

function treeOf(dir: string): string {
  return join(dir, "tree");
}

async function hashOf(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readRegularFile(file))
    .digest("hex");
}

/** Where one command of a room runs. */
export interface Surroundings {
  readonly env: Record<string, string>;
  readonly enclosure: Enclosure;
}

/** Makes a HOME and a temporary folder that are new, and the environment that points to them. */
export async function freshSurroundings(
  { sandbox, userEnv, envNames }: Furniture,
  room: {
    readonly control: Control;
    readonly dir: string;
    readonly network: boolean;
    /** What the command sees besides the repository's objects. */
    readonly visible?: readonly string[];
    /** A folder that the command may write to besides its own. */
    readonly outbox?: string;
  },
): Promise<Surroundings> {
  const { control, dir, network, outbox } = room;
  const visible = [...objectDirs(control), ...(room.visible ?? [])];
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const home = await mkdtemp(join(dir, "home-"));
  const tmp = sandbox.kind === "none" ? await mkdtemp(join(dir, "tmp-")) : undefined;
  const enclosure = sandbox.enclose({ workspace: treeOf(dir), home, tmp, outbox, visible, network });
  return { env: checkEnvironment({ userEnv, ...enclosure.folders, extra: envNames }), enclosure };
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
const madeFile = "set-up-made.json";

/** Reads that file without trusting it, because an agent that is not confined can write it: what is not a path in the tree is dropped. */
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

/** Returns the cache and the key for what set-up would make of this commit; undefined if nothing may be reused. */
async function findReuse(
  control: Control,
  {
    furniture,
    command,
    request,
    submodules,
  }: { furniture: Furniture; command: string; request: FurnishRequest; submodules: Filled },
): Promise<{ readonly cache: SetupCache; readonly key: SetupKey } | undefined> {
  const { cache, sandbox, redact } = furniture;
  if (cache === undefined || sandbox.kind === "none") return undefined;
  const named = await cache.inputsOf(request.commit);
  if (named === undefined) return undefined;
  const inputs = `${named}${submodules.commits}`;
  const surroundings = await freshSurroundings(furniture, { control, dir: request.dir, network: false });
  const key = await shown(furniture, request, "asking tools for their versions", () =>
    setupKey({ ...request, ...surroundings, command, inputs, redact }),
  );
  request.signal.throwIfAborted();
  return key === undefined ? undefined : { cache, key };
}

/** The file of what set-up printed. */
export function setupLog(logDir: string): string {
  return join(logDir, "setup.log");
}

/** Returns why set-up failed: a line for people, then its output. */
async function setUp(
  control: Control,
  { furniture, command, request }: { furniture: Furniture; command: string; request: FurnishRequest },
): Promise<string | undefined> {
  const { dir, logDir, signal } = request;
  const surroundings = await freshSurroundings(furniture, { control, dir, network: true });
  const cwd = surroundings.enclosure.folders.workspace;
  const logFile = setupLog(logDir);
  const timeoutMs = workspaceLimits.setupTimeoutMs;
  const { redact, watch } = furniture;
  const said = { name: `set-up: ${command}`, logFile, redact, watch };
  const ended = await runCommand({ ...surroundings, command, cwd, within: dir, timeoutMs, signal, ...said });
  signal.throwIfAborted();
  if (ended.kind === "exited" && ended.code === 0) return undefined;
  const notFound =
    ended.kind === "exited" ? whyNotFound(ended.code, { command, cwd: ".", tree: [treeOf(dir)] }) : undefined;
  if (notFound !== undefined) return `set-up failed: ${notFound}\n${ended.tail}`;
  const how =
    ended.kind === "exited" ? `exit ${ended.code}` : ended.kind === "exceeded" ? `used ${ended.what}` : ended.kind;
  return `set-up failed (${how}): ${command}\n${ended.tail}`;
}
