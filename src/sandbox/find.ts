import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { sandboxLimits } from "./limits.ts";
import { whyNoTemporaryFiles } from "../base/folder-access.ts";
import { fail, ok, type Failure, type Result, systemReason } from "../base/result.ts";
import { absoluteSearchPath } from "../base/search-path.ts";
import { systemUser } from "../base/system-user.ts";
import { type Bwrap, bwrapSandbox } from "./bwrap.ts";
import { type LayerTools, whyNotJoined } from "./layer.ts";
import { certificateVariables, type Enclosure, noSandbox, type Mount, type Sandbox } from "./sandbox.ts";
import type { TraceTools } from "./trace.ts";
import { toolFolders, toolLogins } from "./tool-homes.ts";
import { hide, machineView, reveal, revealMount, revealSearchFolder, sightOf, statOf, type View } from "./view.ts";

export interface SandboxWish {
  readonly mode: "auto" | "bwrap" | "none";
  /** The user's environment, as it was when Stint started. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders besides the user's home that must not be seen inside. */
  readonly hidden: readonly string[];
  /** Further files and folders of the host, as the settings name them. */
  readonly mounts: readonly Mount[];
  /** The folder below which rooms are made, if they may share files. */
  readonly roomsBelow?: string | undefined;
}

export interface FoundSandbox {
  readonly sandbox: Sandbox;
  /** The message for people: how agents and checks are confined, or why not. */
  readonly word: string;
  /** Why there is none although the settings do not turn it off, and how to get one. */
  readonly missing?: string | undefined;
}

/** Starts a sandbox to find out whether agents and checks can be confined. */
export async function findSandbox(
  wish: SandboxWish,
): Promise<Result<FoundSandbox, Failure<"no-tmp" | "no-sandbox" | "no-mount">>> {
  const noTemporaryFiles = whyNoTemporaryFiles();
  if (noTemporaryFiles !== undefined) return fail("no-tmp", noTemporaryFiles);
  if (wish.mode === "none") return ok(unconfined("as run.sandbox says"));
  const program = findBwrap(wish.env);
  if (!program.ok) return withoutBwrap(wish, program.failure.message);
  const view = viewOf(wish);
  if (!view.ok) return view;
  const why = await whyNotStarted({ program: program.value, view: view.value, bounds: true });
  if (why === undefined) return ok(await confined({ program: program.value, view: view.value, bounds: true }, wish));
  // Releases before 0.7 do not know how to bound a folder in memory.
  const older = { program: program.value, view: view.value, bounds: false };
  if (why.includes("--size") && (await whyNotStarted(older)) === undefined) return ok(await confined(older, wish));
  return withoutBwrap(wish, `bwrap does not work here: ${why}. ${namespacesHint}`);
}

const namespacesHint =
  "It needs user namespaces: see sysctl kernel.unprivileged_userns_clone, AppArmor, and the settings of your container";

function withoutBwrap({ mode }: SandboxWish, why: string): Result<FoundSandbox, Failure<"no-sandbox">> {
  if (mode === "auto") return ok({ ...unconfined(why), missing: why });
  return fail("no-sandbox", `run.sandbox is bwrap, but ${why}. Or set run.sandbox to auto or none.`);
}

function unconfined(why: string): FoundSandbox {
  const word = `Sandbox: none (${why}); agents and checks run with your file system and network.`;
  return { sandbox: noSandbox, word };
}

async function confined(bwrap: Bwrap, wish: SandboxWish): Promise<FoundSandbox> {
  const layers = await findLayers(bwrap, wish);
  const copies = layers.ok ? "" : ` Every checkout is a full copy, because ${layers.failure.message}.`;
  const word = `Sandbox: bwrap; agents and checks see your tools and their own folders, checks without network.${copies}`;
  const tools = layers.ok ? layers.value : undefined;
  const tracer = tools === undefined ? undefined : findTraceTools(wish.env);
  let { view } = bwrap;
  const enclose: Sandbox["enclose"] = (room) => {
    if (isOutdated(view)) view = renewed(wish) ?? view;
    return bwrapSandbox({ ...bwrap, view, layers: tools, tracer }).enclose(room);
  };
  return { sandbox: { kind: "bwrap", layers: tools, tracer, enclose }, word };
}

/** Joins folders once as a room would, on the disk that rooms are on; not asked for is no failure. */
async function findLayers(bwrap: Bwrap, { env, roomsBelow }: SandboxWish): Promise<Result<LayerTools | undefined>> {
  if (roomsBelow === undefined) return ok(undefined);
  const odd = whyNotJoined(roomsBelow);
  if (odd !== undefined) return fail("path", odd);
  const layers = findLayerTools(env);
  if (layers === undefined) return fail("missing", "unshare or mount is not installed");
  const why = await whyNotLayered({ ...bwrap, layers }, roomsBelow).catch(systemReason);
  return why === undefined ? ok(layers) : fail("kernel", `this machine cannot join folders here: ${why}`);
}

/** Finds the programs that join folders. */
export function findLayerTools(env: SandboxWish["env"]): LayerTools | undefined {
  const [unshare, mount] = ["unshare", "mount"].map((name) => findIn(env, name));
  return unshare === undefined || mount === undefined ? undefined : { unshare, mount };
}

function findTraceTools(env: SandboxWish["env"]): TraceTools | undefined {
  const [strace, setpriv] = ["strace", "setpriv"].map((name) => findIn(env, name));
  return strace === undefined || setpriv === undefined ? undefined : { strace, setpriv };
}

async function whyNotLayered(bwrap: Bwrap, below: string): Promise<string | undefined> {
  fs.mkdirSync(below, { recursive: true, mode: 0o700 });
  return await inTemporary(path.join(below, "layers-"), async (folder) => {
    const [lower, upper, work, home] = ["lower", "upper", "work", "home"].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    for (const dir of [path.join(lower, "folder"), upper, work, home]) fs.mkdirSync(dir, { recursive: true });
    for (const file of ["file", "folder/old"]) fs.writeFileSync(path.join(lower, file), "");
    const layer = { lower: [lower], upper, work };
    const enclosure = bwrapSandbox(bwrap).enclose({ workspace: upper, layer, home, visible: [], network: false });
    // Removed and made again, a folder must not show what it had before.
    const why = await whyFailed(enclosure, "rm file && rm -r folder && mkdir folder && ! test -e folder/old");
    openUp(path.join(work, "work"));
    if (why !== undefined) return why;
    const isMarked = fs.lstatSync(path.join(upper, "file"), { throwIfNoEntry: false })?.isCharacterDevice() === true;
    return isMarked && fs.existsSync(path.join(lower, "file")) ? undefined : "a removed file leaves no mark";
  });
}

/** Whether a path of the view is gone: overnight, tools update themselves and work trees are removed, and bwrap does not start without them. */
function isOutdated(view: View): boolean {
  return [...view].some(([file, sight]) => sight.kind !== "link" && !fs.existsSync(file));
}

/** Makes a new view; undefined if a mount that a person named is gone: bwrap then reports which, and no task is to blame. */
function renewed(wish: SandboxWish): View | undefined {
  const view = viewOf(wish);
  return view.ok ? view.value : undefined;
}

function findBwrap(env: SandboxWish["env"]): Result<string> {
  if (process.platform !== "linux") return fail("platform", "bwrap works only on Linux");
  const program = findIn(env, "bwrap");
  if (program !== undefined) return ok(program);
  return fail("missing", "bwrap is not installed; install bubblewrap with apt, dnf, pacman or zypper");
}

function findIn(env: SandboxWish["env"], name: string): string | undefined {
  const candidates = absoluteSearchPath(env["PATH"])
    .split(":")
    .map((folder) => path.join(folder, name));
  return candidates.find((file) => statOf(file)?.isFile());
}

/** Returns a view of the machine without the user's own files, but with their tools. */
function viewOf({ env, hidden, mounts }: SandboxWish): Result<View, Failure<"no-mount">> {
  const view = machineView();
  const homes = [env["HOME"] ?? "", systemUser().home ?? ""].filter((home) => path.isAbsolute(home));
  const config = env["XDG_CONFIG_HOME"] ?? "";
  for (const folder of [...homes, ...(path.isAbsolute(config) ? [config] : []), ...hidden]) hide(view, folder);
  reveal(view, "/etc/resolv.conf");
  for (const folder of toolFolders(env)) reveal(view, folder);
  for (const folder of absoluteSearchPath(env["PATH"]).split(":")) revealSearchFolder(view, folder);
  for (const name of certificateVariables) if (path.isAbsolute(env[name] ?? "")) reveal(view, env[name] ?? "");
  for (const secret of homes.flatMap((home) => secrets.map((name) => path.join(home, name)))) hideShown(view, secret);
  for (const file of toolLogins(env)) if (fs.existsSync(file)) view.set(fs.realpathSync(file), { kind: "emptied" });
  const missing = mounts.find((mount) => !revealMount(view, mount));
  if (missing === undefined) return ok(view);
  return fail(
    "no-mount",
    `workspace.mounts names ${missing.path}, which does not exist. Create it, or remove it from workspace.mounts.`,
  );
}

/** Hides a folder even if a tool on PATH made it visible: Docker's plug-ins are beside its logins. */
function hideShown(view: View, folder: string): void {
  if (sightOf(view, folder).kind === "shown") hide(view, folder);
}

const secrets = [".ssh", ".aws", ".azure", ".gnupg", ".kube", ".docker", ".config/gcloud", ".local/share/keyrings"];

/** Starts bwrap once with everything that a room uses; returns its complaint, or undefined. */
async function whyNotStarted(bwrap: Bwrap): Promise<string | undefined> {
  return await inTemporary(path.join(os.tmpdir(), "stint-sandbox-"), async (folder) => {
    const [workspace, home] = ["workspace", "home"].map((name) => path.join(folder, name)) as [string, string];
    for (const dir of [workspace, home]) fs.mkdirSync(dir);
    return await whyFailed(bwrapSandbox(bwrap).enclose({ workspace, home, visible: [], network: false }), ":");
  });
}

/** The kernel leaves a folder that nobody but root may enter or remove. */
function openUp(folder: string): void {
  if (fs.existsSync(folder)) fs.chmodSync(folder, 0o700);
}

async function inTemporary<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(prefix);
  try {
    return await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a script inside; returns the complaint, or undefined if it ended well. */
async function whyFailed(enclosure: Enclosure, script: string): Promise<string | undefined> {
  const command = { argv: ["/bin/sh", "-c", script], cwd: enclosure.folders.workspace, env: {} };
  const { argv, cwd, env } = enclosure.enter(command);
  const complaint = await run(argv, { cwd, env });
  return enclosure.entered() && complaint === "" ? undefined : (complaint.split("\n")[0] ?? "") || "it ended at once";
}

async function run(
  [program = "", ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const timeout = sandboxLimits.sandboxProbeMsMax;
  return new Promise((resolve) => {
    execFile(program, args, { ...options, timeout, killSignal: "SIGKILL" }, (error, _, stderr) =>
      resolve(error === null ? "" : stderr.trim() || error.message),
    );
  });
}
