import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { UserEnvironment } from "../agents/environment.ts";
import type { Control } from "../git/control.ts";
import type { Identity } from "../git/names.ts";
import { limits } from "../limits.ts";
import { fail, ok, type Failure, type Result } from "../result.ts";
import { checkEnvironment } from "../verify/room-environment.ts";
import { runCommand } from "../verify/run-command.ts";
import { createCheckout, indexOf, type Checkout } from "./checkout.ts";
import { restoreTree } from "./restore.ts";
import { untrackedPaths } from "./snapshot.ts";

/** What every checkout of a run gets besides its files. */
export interface Furniture {
  readonly userEnv: UserEnvironment;
  /** Names let through to set-up and checks. */
  readonly envNames: readonly string[];
  readonly setup: string | undefined;
}

/** A checkout with a HOME and a temporary folder of its own, in which set-up has been run. */
export interface Furnished {
  readonly checkout: Checkout;
  readonly env: Readonly<Record<string, string>>;
  /** Files that set-up made; they are nobody's change. */
  readonly made: ReadonlySet<string>;
  readonly wasSetUp: boolean;
}

export interface FurnishRequest {
  /** Holds the tree, its HOME and its temporary folder. */
  readonly dir: string;
  readonly commit: string;
  readonly branch: string | null;
  readonly identity: Identity;
  readonly logDir: string;
  readonly signal: AbortSignal;
}

/** Makes a checkout at a commit and sets it up; a failed set-up is a failure, never a half-furnished room. */
export async function furnish(
  control: Control,
  furniture: Furniture,
  request: FurnishRequest,
): Promise<Result<Furnished, Failure<"set-up">>> {
  const { dir, commit, branch, identity, logDir, signal } = request;
  const [checkout, env] = await Promise.all([
    createCheckout(control, { dir: join(dir, "tree"), commit, branch, identity }),
    roomEnvironment(dir, furniture),
    mkdir(logDir, { recursive: true, mode: 0o700 }),
  ]);
  const { setup } = furniture;
  if (setup === undefined) return ok({ checkout, env, made: new Set(), wasSetUp: false });
  const logFile = join(logDir, "setup.log");
  const ended = await runCommand({
    command: setup,
    cwd: checkout.dir,
    env,
    timeoutMs: limits.setupTimeoutMs,
    logFile,
    signal,
  });
  signal.throwIfAborted();
  if (ended.kind !== "exited" || ended.code !== 0) {
    const how = ended.kind === "exited" ? `exit ${ended.code}` : ended.kind;
    return fail("set-up", `set-up failed (${how}): ${setup}\n${ended.tail}`);
  }
  const made = await untrackedPaths(control, checkout);
  await writeFile(join(dir, madeFile), JSON.stringify(made), { mode: 0o600 });
  const furnished = { checkout, env, made: new Set(made), wasSetUp: true };
  await putBack(control, furnished);
  return ok(furnished);
}

/** A workspace that outlived its driver; undefined where there is none. */
export async function findFurnished(
  furniture: Furniture,
  { dir, commit, branch, identity }: Pick<FurnishRequest, "dir" | "commit" | "branch" | "identity">,
): Promise<Furnished | undefined> {
  const tree = join(dir, "tree");
  if ((await stat(tree).catch(() => undefined)) === undefined) return undefined;
  const made = await readFile(join(dir, madeFile), "utf8").catch(() => "[]");
  const checkout = { dir: tree, index: indexOf(tree), commit, branch, identity };
  const env = await roomEnvironment(dir, furniture);
  return { checkout, env, made: new Set(JSON.parse(made) as string[]), wasSetUp: furniture.setup !== undefined };
}

/**
 * Makes the tree what it was: tracked files are rehashed and restored, `.git` is rewritten, and files that are neither
 * tracked, nor ignored, nor made by set-up are removed, because a runner's configuration left by one check would steer the next.
 */
export async function putBack(
  control: Control,
  { checkout, made }: Pick<Furnished, "checkout" | "made">,
): Promise<void> {
  await restoreTree(control, checkout);
  const strange = (await untrackedPaths(control, checkout)).filter((path) => !made.has(path));
  await Promise.all(strange.map((path) => rm(join(checkout.dir, path), { recursive: true, force: true })));
}

/** Lies beside the tree, so that what set-up made is known again after a crash. */
const madeFile = "set-up-made.json";

async function roomEnvironment(dir: string, { userEnv, envNames }: Furniture): Promise<Record<string, string>> {
  const [home, tmp] = [join(dir, "home"), join(dir, "tmp")];
  await Promise.all([home, tmp].map((folder) => mkdir(folder, { recursive: true, mode: 0o700 })));
  return checkEnvironment({ userEnv, home, tmp, extra: envNames });
}
