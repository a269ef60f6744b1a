import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { sandboxLimits } from "./limits.ts";
import { unreachable } from "../base/result.ts";
import { inLayers, type Layer, type LayerTools } from "./layer.ts";
import { inTrace, type TraceTools } from "./trace.ts";
import type { Command, Enclosure, RoomSpec, Sandbox } from "./sandbox.ts";
import { reveal, revealProgram, sightOf, statOf, type View } from "./view.ts";

export interface Bwrap {
  /** The program's path. */
  readonly program: string;
  /** What every room sees of the machine. */
  readonly view: View;
  /** Whether it can bound a folder in memory, which releases before 0.7 cannot. */
  readonly bounds: boolean;
  readonly layers?: LayerTools | undefined;
  readonly tracer?: TraceTools | undefined;
}

/** Confines by bubblewrap: files, processes and, if wanted, the network get namespaces of their own. */
export function bwrapSandbox(bwrap: Bwrap): Sandbox {
  return { kind: "bwrap", layers: bwrap.layers, tracer: bwrap.tracer, enclose: (room) => enclose(bwrap, room) };
}

function enclose(bwrap: Bwrap, room: RoomSpec): Enclosure {
  const id = randomBytes(6).toString("hex");
  const folders = {
    workspace: "/stint/workspace",
    home: "/stint/home",
    tmp: "/tmp",
    outbox: `/stint/outbox-${id}`,
    inbox: "/stint/inbox",
  };
  const status = path.join(path.dirname(room.workspace), `entered-${id}`);
  const own = [
    ["--bind", room.workspace, folders.workspace],
    ["--bind", room.home, folders.home],
    room.outbox === undefined ? [] : ["--bind", room.outbox, folders.outbox],
    room.inbox === undefined ? [] : ["--ro-bind", room.inbox, folders.inbox],
  ].flat();
  const flags = [...isolation(room), ...mounts(viewOf(bwrap, room), bwrap.bounds), ...own, "--remount-ro", "/"];
  return {
    confined: true,
    folders,
    enter: (command) => enter(command, { bwrap, room, status, flags }),
    entered: () => wasEntered(status),
  };
}

function enter(
  { argv, cwd, env }: Command,
  place: {
    readonly bwrap: Bwrap;
    readonly room: RoomSpec;
    readonly status: string;
    readonly flags: readonly string[];
  },
): Command {
  const { bwrap, room, status, flags } = place;
  // The shell opens the file to which bwrap reports how the command ended; nothing inside can reach it.
  const script = 'exec 4>"$0" && unset OLDPWD SHLVL && exec "$@"';
  const inside = ["--json-status-fd", "4", "--chdir", cwd, "--unsetenv", roomVariable, "--", ...argv];
  const confined = [bwrap.program, ...flags, ...inside];
  return {
    argv: traced(bwrap, room, ["/bin/sh", "-c", script, status, ...layered(bwrap, room, confined)]),
    cwd: room.workspace,
    // Variables are not on the command line, which every user of the machine can read.
    env: { ...env, [roomVariable]: room.workspace },
  };
}

function layered({ layers }: Bwrap, room: RoomSpec, argv: readonly string[]): readonly string[] {
  const joined = layersOf(room);
  if (joined.length === 0) return argv;
  if (layers === undefined) throw new Error("Internal error: expected a sandbox with layers, but it has none");
  return inLayers(layers, joined, argv);
}

function layersOf({ layer, homeLayer }: RoomSpec): Layer[] {
  return [homeLayer, layer].filter((one) => one !== undefined);
}

function traced({ tracer }: Bwrap, { trace }: RoomSpec, argv: readonly string[]): readonly string[] {
  return tracer === undefined || trace === undefined ? argv : inTrace(tracer, trace, argv);
}

/** This variable shows which room a sandbox was started for, in case Stint is killed before the sandbox is tied to its life. */
export const roomVariable = "STINT_ROOM";

function wasEntered(status: string): boolean {
  try {
    const said = fs.readFileSync(status, "utf8");
    fs.rmSync(status, { force: true });
    return said.includes('"exit-code"');
  } catch {
    return false;
  }
}

function isolation(room: RoomSpec): string[] {
  const isLayered = layersOf(room).length > 0;
  const user = isLayered ? "user" : "user-try";
  const namespaces = [user, "pid", "ipc", "uts", "cgroup-try", ...(room.network ? [] : ["net"])];
  const flags = [...namespaces.map((name) => `--unshare-${name}`), "--cap-drop", "ALL", "--die-with-parent"];
  return isLayered ? [...flags, ...ownNumbers()] : flags;
}

/** Layers are mounted as number 0; inside, everybody has their own numbers again. */
function ownNumbers(): string[] {
  return ["--uid", String(process.getuid?.() ?? 0), "--gid", String(process.getgid?.() ?? 0)];
}

function viewOf({ view }: Bwrap, { visible }: RoomSpec): View {
  const seen: View = new Map(view);
  for (const file of visible) {
    if (statOf(file)?.isDirectory() === true) reveal(seen, file);
    else revealProgram(seen, file);
  }
  return seen;
}

function mounts(view: View, bounds: boolean): string[] {
  const bound = bounds ? ["--size", String(sandboxLimits.roomTmpBytesMax)] : [];
  const paths = [...view.keys()].toSorted();
  const hidden = paths.filter((file) => view.get(file)?.kind === "hidden" && kindAbove(view, file) !== "none");
  return [
    ["--proc", "/proc", ...guardedProc.flatMap((file) => ["--ro-bind-try", file, file])],
    // /dev comes before all others: a repository or a tool may be in /dev/shm.
    ["--dev", "/dev", ...bound, "--tmpfs", "/dev/shm"],
    paths.flatMap((file) => mount(view, file, bound)),
    hidden.flatMap((file) => ["--remount-ro", file]),
  ].flat();
}

/** These are settings of the whole kernel, which root could change even without capabilities. */
const guardedProc = ["/proc/sys", "/proc/sysrq-trigger", "/proc/fs", "/proc/acpi", "/proc/scsi"];

/** Returns the options for one path; parents are mounted first, and a path that its parent already shows in the same way needs none. */
function mount(view: View, file: string, bound: readonly string[]): string[] {
  const sight = sightOf(view, file);
  const above = kindAbove(view, file);
  switch (sight.kind) {
    case "shown":
      return above === "shown" ? [] : ["--ro-bind", file, file];
    case "writable":
      return above === "writable" ? [] : ["--bind", file, file];
    case "hidden":
      return above === "none" ? [] : ["--tmpfs", file];
    case "private":
      return [...bound, "--tmpfs", file];
    case "emptied":
      return above === "none" ? [] : ["--dev-bind", "/dev/null", file];
    case "link":
      return above === "none" ? ["--symlink", sight.target, file] : [];
    default:
      return unreachable(sight);
  }
}

/** Whether the host's files are seen in the folder in which this one lies. */
function kindAbove(view: View, file: string): "shown" | "writable" | "none" {
  const { kind } = sightOf(view, path.dirname(file));
  return kind === "shown" || kind === "writable" ? kind : "none";
}
