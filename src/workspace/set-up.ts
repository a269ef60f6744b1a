import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { Redactor } from "../base/redact.ts";
import { whyNotFound } from "../checks/crlf-script.ts";
import { checkEnvironment } from "../checks/room-environment.ts";
import { runCommand } from "../checks/run-command.ts";
import type { CommandWatch } from "../checks/running-command.ts";
import type { Tree } from "../sandbox/tree-lookup.ts";
import { type Control, objectDirs } from "../git/control.ts";
import type { UserEnvironment } from "../process/environment.ts";
import type { Layer } from "../sandbox/layer.ts";
import type { Enclosure, Sandbox } from "../sandbox/sandbox.ts";
import { workspaceLimits } from "./limits.ts";
import { findOrFill, type Reuse, type SetupCache, type Turn } from "./setup-cache.ts";
import { setupKey } from "./setup-key.ts";
import type { Filled } from "./submodules.ts";

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

/** Lets people see by name what takes long and is no command of theirs. */
export async function shown<T>(
  { watch }: Furniture,
  { logDir }: { readonly logDir: string },
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

/** Where one command of a room runs. */
export interface Surroundings {
  readonly env: Record<string, string>;
  readonly enclosure: Enclosure;
}

/** Makes a temporary folder that is new, a HOME that is new or has kept caches below it, and the environment that points to them. */
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
    /** The layers of its tree, if that is not a folder of its own. */
    readonly layer?: Layer | undefined;
    /** The layers of its HOME, if that is not a folder of its own. */
    readonly homeLayer?: Layer | undefined;
    /** The file that gets a trace of what the command asks for. */
    readonly trace?: string | undefined;
  },
): Promise<Surroundings> {
  const { control, dir, network, outbox, layer, homeLayer, trace } = room;
  const visible = [...objectDirs(control), ...(room.visible ?? [])];
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const home = homeLayer?.upper ?? (await mkdtemp(join(dir, "home-")));
  const tmp = sandbox.kind === "none" ? await mkdtemp(join(dir, "tmp-")) : undefined;
  const folders = { workspace: treeOf(dir), layer, home, homeLayer, tmp, outbox, trace };
  const enclosure = sandbox.enclose({ ...folders, visible, network });
  const isOffline = enclosure.confined && !network;
  return { env: checkEnvironment({ userEnv, ...enclosure.folders, extra: envNames, isOffline }), enclosure };
}

/** Finds what set-up made earlier of the same inputs, or the turn to make it; without inputs that say so, nothing is reused. */
export async function earlierSetup(
  control: Control,
  request: SetupRequest & { readonly commit: string; readonly submodules: Filled },
): Promise<Turn & { readonly reuse: Reuse | undefined }> {
  const { furniture, commit, signal } = request;
  const reuse = await findReuse(control, request);
  if (reuse === undefined) return { reuse, found: undefined, done: () => undefined };
  const shownHere = <T>(name: string, work: () => Promise<T>) => shown(furniture, request, name, work);
  return { reuse, ...(await findOrFill(reuse, { commit, signal, shown: shownHere })) };
}

async function findReuse(
  control: Control,
  { furniture, command, commit, ...place }: Parameters<typeof earlierSetup>[1],
): Promise<Reuse | undefined> {
  const { cache, sandbox, redact } = furniture;
  if (cache === undefined || sandbox.kind === "none") return undefined;
  const named = await cache.inputsOf(commit);
  if (named === undefined) return undefined;
  const inputs = `${named}${place.submodules.commits}`;
  const surroundings = await freshSurroundings(furniture, { control, ...place, network: false });
  const key = await shown(furniture, place, "asking tools for their versions", () =>
    setupKey({ ...place, ...surroundings, command, inputs, redact }),
  );
  place.signal.throwIfAborted();
  return key === undefined ? undefined : { cache, key };
}

/** The file of what set-up printed. */
export function setupLog(logDir: string): string {
  return join(logDir, "setup.log");
}

/** A set-up, and where it runs. */
export interface SetupRequest {
  readonly furniture: Furniture;
  readonly command: string;
  /** The folder of the tree and of the HOMEs of what runs in it. */
  readonly dir: string;
  /** The layers of the tree, if that is not a folder of its own. */
  readonly layer?: Layer | undefined;
  /** The layers of HOME, if that is not a folder of its own. */
  readonly homeLayer?: Layer | undefined;
  readonly logDir: string;
  readonly signal: AbortSignal;
}

/** Returns why set-up failed: a line for people, then its output. */
export async function setUp(
  control: Control,
  { furniture, command, ...place }: SetupRequest,
): Promise<string | undefined> {
  const { dir, layer, logDir, signal } = place;
  const surroundings = await freshSurroundings(furniture, { control, ...place, network: true });
  const cwd = surroundings.enclosure.folders.workspace;
  const logFile = setupLog(logDir);
  const timeoutMs = workspaceLimits.setupTimeoutMs;
  const { redact, watch } = furniture;
  const said = { name: `set-up: ${command}`, logFile, redact, watch };
  const ended = await runCommand({ ...surroundings, command, cwd, within: dir, timeoutMs, signal, ...said });
  signal.throwIfAborted();
  if (ended.kind === "exited" && ended.code === 0) return undefined;
  const tree: Tree = [treeOf(dir), ...(layer?.lower ?? [])];
  const notFound = ended.kind === "exited" ? whyNotFound(ended.code, { command, cwd: ".", tree }) : undefined;
  if (notFound !== undefined) return `set-up failed: ${notFound}\n${ended.tail}`;
  const how =
    ended.kind === "exited" ? `exit ${ended.code}` : ended.kind === "exceeded" ? `used ${ended.what}` : ended.kind;
  return `set-up failed (${how}): ${command}\n${ended.tail}`;
}

/** The folder of the files, in the folder of a checkout. */
export function treeOf(dir: string): string {
  return join(dir, "tree");
}
