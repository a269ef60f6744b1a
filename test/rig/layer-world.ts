import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { CheckEvidence } from "../../src/engine/evidence.ts";
import { listTree } from "../../src/git/objects.ts";
import type { RunCheck } from "../../src/plan/types.ts";
import { runPaths } from "../../src/project/paths.ts";
import type { Project } from "../../src/project/project.ts";
import { findSandbox } from "../../src/sandbox/find.ts";
import type { Enclosure, Mount, Sandbox } from "../../src/sandbox/sandbox.ts";
import { onTestFinished } from "vitest";
import { removeTree } from "../../src/workspace/remove.ts";
import { checkInFreshRoom, type RoomOptions, roomsIn } from "../../src/workspace/real-rooms.ts";
import { realWorkspaces, type Workspaces } from "../../src/workspace/real-workspaces.ts";
import type { Furniture } from "../../src/workspace/set-up.ts";
import type { SetupCache } from "../../src/workspace/setup-cache.ts";
import { snapshot, type Snapshot } from "../../src/workspace/snapshot.ts";
import { noSandbox } from "../../src/sandbox/sandbox.ts";
import { ann, at, commitAll, rig, type Rig, sh, write } from "./git.ts";
import { runIn } from "./sandbox-world.ts";

/** How an agent's session left its workspace. */
export interface Session {
  readonly out: string;
  readonly taken: Snapshot;
  /** The host's folder of the workspace. */
  readonly dir: string;
  readonly workspaces: Workspaces;
  readonly key: { readonly task: string; readonly attempt: number };
}

export interface LayerWorld {
  readonly r: Rig;
  readonly sandbox: Sandbox;
  readonly rooms: RoomOptions;
  readonly cacheDir: string;
  /** The folder of the files of a commit that rooms share. */
  readonly treeOf: (commit: string) => string;
  /** Runs checks one after another, each in a room of its own. */
  readonly check: (lines: readonly string[], more?: CheckMore) => Promise<CheckEvidence[]>;
  /** Lets an agent run a script, sharing files or with all files of its own, and takes its work. */
  readonly session: (script: string, more?: SessionMore) => Promise<Session>;
  /** The control: runs commands one after another in one plain folder, unconfined, and returns what each printed. */
  readonly shared: (lines: readonly string[]) => Promise<string[]>;
  /** Makes a commit on top of the base, as a candidate is. */
  readonly candidate: (changes: Record<string, string>) => string;
}

interface CheckMore {
  readonly commit?: string;
  readonly without?: string;
  readonly network?: boolean;
  readonly rooms?: RoomOptions;
}

interface SessionMore {
  readonly base?: string;
  readonly plain?: boolean;
  /** Whether the driver died after the session, and another one takes the work. */
  readonly resumed?: boolean;
}

export interface WorldSpec {
  readonly files?: Record<string, string>;
  readonly setup?: string;
  /** Files on which set-up depends; without them nothing is kept for other rooms. */
  readonly inputs?: readonly string[];
  readonly rig?: Rig;
  /** A folder of the host that every room may write to. */
  readonly open?: string;
}

/** A repository with rooms and workspaces that share files. */
export async function layerWorld(spec: WorldSpec = {}): Promise<LayerWorld> {
  const r = spec.rig ?? (await rig(spec.files));
  const state = join(r.root, "state");
  const paths = runPaths({ runs: join(state, "runs"), scratch: state } as Parameters<typeof runPaths>[0], "run");
  mkdirSync(paths.rooms, { recursive: true });
  // The kernel and the tests leave folders in it that only root may enter.
  onTestFinished(() => removeTree(r.root));
  const home = join(r.root, "home");
  mkdirSync(home);
  const userEnv = { PATH: process.env["PATH"], HOME: home };
  const found = await findSandbox({
    ...{ mode: "bwrap", env: userEnv, hidden: [r.user, state], mounts: mountsOf(spec) },
    roomsBelow: state,
  });
  if (!found.ok) throw new Error(found.failure.message);
  const { sandbox } = found.value;
  const cacheDir = join(r.root, "cache");
  const cache = spec.inputs === undefined ? undefined : cacheAt(cacheDir, r, spec.inputs);
  const furniture: Furniture = { userEnv, envNames: [], setup: spec.setup, sandbox, cache };
  const options = { control: r.control, furniture, dir: paths.rooms, base: r.base };
  const rooms = roomsIn(options);
  let count = 0;
  return {
    ...{ r, sandbox, rooms, cacheDir },
    treeOf: (commit) => join(paths.rooms, "trees", commit, "tree"),
    check: async (lines, { commit = r.base, without, network = false, rooms: other = rooms } = {}) => {
      const logDir = join(r.root, `checks-${++count}`);
      const checks = lines.map((line) => checkOf(line, network));
      const request = { commit, checks, logDir, signal: new AbortController().signal };
      return await checkInFreshRoom(other, without === undefined ? request : { ...request, without });
    },
    session: async (script, { base = r.base, plain = false, resumed = false } = {}) => {
      const key = { task: "task", attempt: ++count };
      const open = () => workspacesOf(r, { paths, furniture, trees: plain ? undefined : roomsIn(options).trees });
      const workspaces = open();
      const { signal } = new AbortController();
      const why = await workspaces.give(key, { base, signal, stillOwn: () => undefined });
      if (why !== undefined) throw new Error(why);
      const dir = paths.workspace(key);
      const { out } = runIn(enclosureOf(sandbox, dir, workspaces.layerOf(key)), script);
      const later = resumed ? open() : workspaces;
      const workspace = await later.find(key, base);
      if (workspace === undefined) throw new Error("The workspace is gone");
      const { checkout, below, madePaths: exclude } = workspace;
      const about = { base, message: "m", identity: ann, ref: `refs/stint/rescue/r/t/${count}`, at };
      const taken = await snapshot(r.control, checkout, { ...about, exclude, below });
      return { out, taken, dir, workspaces: later, key };
    },
    shared: async (lines) => {
      const [{ dir }, shared] = [await r.checkout(), mkdtempSync(join(r.root, "home-"))];
      const enclosure = noSandbox.enclose({ workspace: dir, home: shared, visible: [], network: true });
      const run = (line: string) => runIn(enclosure, line, { env: { HOME: shared } }).out;
      if (spec.setup !== undefined) run(spec.setup);
      return lines.map((line) => run(line));
    },
    candidate: (changes) => {
      sh(r.user, "checkout", "-q", "--detach", r.base);
      write(r.user, changes);
      return commitAll(r.user);
    },
  };
}

function mountsOf({ open }: WorldSpec): Mount[] {
  return open === undefined ? [] : [{ path: open, writable: true }];
}

function workspacesOf({ control }: Rig, options: Omit<Parameters<typeof realWorkspaces>[1], "inBackground">) {
  return realWorkspaces({ control } as Project, { ...options, inBackground: (work) => void work });
}

function enclosureOf(sandbox: Sandbox, dir: string, layer: ReturnType<Workspaces["layerOf"]>): Enclosure {
  const home = mkdtempSync(join(dir, "home-"));
  return sandbox.enclose({ workspace: join(dir, "tree"), layer, home, visible: [], network: true });
}

function cacheAt(dir: string, { control, base }: Rig, names: readonly string[]): SetupCache {
  return {
    dir,
    isInput: (path) => names.includes(path),
    inputsOf: async (commit) =>
      JSON.stringify((await listTree(control, commit)).filter(({ path }) => names.includes(path))),
    keepFor: (commit) => (commit === base ? "base" : undefined),
    useOf: ["base"],
  };
}

function checkOf(run: string, network: boolean): RunCheck {
  const place = { cwd: ".", env: {}, timeoutMs: 60_000, network };
  return { kind: "run", run, ...place, red: true, at: { line: 1, column: 1 } };
}
