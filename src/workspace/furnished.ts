import { mkdir, mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { UserEnvironment } from "../agents/environment.ts";
import type { Control } from "../git/control.ts";
import type { Identity } from "../git/names.ts";
import { limits } from "../limits.ts";
import { fail, ok, type Failure, type Result } from "../result.ts";
import { checkEnvironment } from "../verify/room-environment.ts";
import { runCommand } from "../verify/run-command.ts";
import { createCheckout, indexOf, removeCheckout, type Checkout } from "./checkout.ts";
import { restoreTree } from "./restore.ts";
import { untrackedPaths } from "./snapshot.ts";
import { listUntracked, removeNewcomers, type Untracked } from "./untracked.ts";

/** What every checkout of a run gets besides its files. */
export interface Furniture {
  readonly userEnv: UserEnvironment;
  /** Names let through to set-up and checks. */
  readonly envNames: readonly string[];
  readonly setup: string | undefined;
}

/** A checkout in which set-up has been run. */
export interface Furnished {
  readonly request: FurnishRequest;
  readonly checkout: Checkout;
  /** What set-up made. */
  readonly made: Untracked;
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
  if (furniture.setup === undefined) return ok({ request, checkout, made: new Map() });
  const why = await setUp(furniture, furniture.setup, { request, checkout });
  if (why !== undefined) return fail("set-up", why);
  await restoreTree(control, checkout);
  await writeFile(join(dir, madeFile), JSON.stringify(await untrackedPaths(control, checkout)), { mode: 0o600 });
  return ok({ request, checkout, made: await listUntracked(control, checkout) });
}

/**
 * Makes a room what it was when furnished: tracked files are rehashed and restored, `.git` is rewritten, newcomers go.
 * Code run by a check can rewrite what set-up made; then the room is made anew.
 */
export async function refurnish(control: Control, furniture: Furniture, room: Furnished): Promise<FurnishResult> {
  await restoreTree(control, room.checkout);
  if (await removeNewcomers(control, room.checkout, room.made)) return ok(room);
  await removeCheckout(room.request.dir);
  return await furnish(control, furniture, room.request);
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
  if ((await stat(tree).catch(() => undefined)) === undefined) return undefined;
  const made = await readFile(join(dir, madeFile), "utf8").catch(() => "[]");
  const checkout = { dir: tree, index: indexOf(tree), commit, branch, identity };
  return { checkout, madePaths: JSON.parse(made) as string[] };
}

/** Lies beside the tree, so that what set-up made is known again after a crash. */
const madeFile = "set-up-made.json";

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
  const ended = await runCommand({ command, cwd: checkout.dir, env, timeoutMs, logFile, signal });
  signal.throwIfAborted();
  if (ended.kind === "exited" && ended.code === 0) return undefined;
  return `set-up failed (${ended.kind === "exited" ? `exit ${ended.code}` : ended.kind}): ${command}\n${ended.tail}`;
}
