import fs from "node:fs";
import path from "node:path";

/** What is at a path inside, and at every path below it that has no sight of its own. */
export type Sight =
  /** The host's file or folder, read only. */
  | { readonly kind: "shown" }
  /** The host's file or folder, writable. */
  | { readonly kind: "writable" }
  /** Nothing is there, and nothing can be put there. */
  | { readonly kind: "hidden" }
  /** An empty folder of the room's own, which is deleted with it. */
  | { readonly kind: "private" }
  /** A file without its content. */
  | { readonly kind: "emptied" }
  | { readonly kind: "link"; readonly target: string };

/** Maps a real path to what is seen there; the nearest path above decides. */
export type View = Map<string, Sight>;

/** Returns what a process sees at a path. */
export function sightOf(view: View, file: string): Sight {
  for (let at = file; ; at = path.dirname(at)) {
    const sight = view.get(at);
    if (sight !== undefined) return sight;
    if (at === "/") return { kind: "hidden" };
  }
}

/** Whether the host's file is out of sight there. */
export function isOutOfSight(view: View, file: string): boolean {
  const { kind } = sightOf(view, file);
  return kind !== "shown" && kind !== "writable";
}

/** Adds every link on the way to a file to the view, unless it is visible already, and returns where the way ends. */
export function followLinks(view: View, file: string): string | undefined {
  let waiting = file.split("/").filter((name) => name !== "");
  let at = "/";
  for (let steps = 0; steps < stepsMax; steps += 1) {
    const [name, ...rest] = waiting;
    if (name === undefined) return at;
    const next = path.join(at, name);
    const stat = lstat(next);
    if (stat === undefined) return undefined;
    if (!stat.isSymbolicLink()) {
      [at, waiting] = [next, rest];
      continue;
    }
    const target = fs.readlinkSync(next);
    if (isOutOfSight(view, next)) view.set(next, { kind: "link", target });
    waiting = [...path.resolve(at, target).split("/").filter(Boolean), ...rest];
    at = "/";
  }
  return undefined;
}

/** Returns the stat of what a name leads to. What cannot be examined, such as another user's folder on PATH, cannot be used either. */
export function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file);
  } catch {
    return undefined;
  }
}

function lstat(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file);
  } catch {
    return undefined;
  }
}

/** The kernel gives up after 40 links; there are names between them. */
const stepsMax = 1_000;

/** Returns a view of the whole machine except what belongs to running programs: their processes, sockets and temporary files. */
export function machineView(): View {
  const view: View = new Map();
  for (const name of fs.readdirSync("/")) {
    const at = path.join("/", name);
    const stat = fs.lstatSync(at);
    if (stat.isSymbolicLink()) view.set(at, { kind: "link", target: fs.readlinkSync(at) });
    else if (!ownPlaces.has(at) && (stat.isDirectory() || stat.isFile())) view.set(at, { kind: "shown" });
  }
  view.set("/tmp", { kind: "private" });
  hide(view, "/var/tmp", "private");
  hide(view, "/run");
  return view;
}

/** Paths that the sandbox makes itself, or that must not be the host's. */
const ownPlaces: ReadonlySet<string> = new Set(["/proc", "/dev", "/stint", "/tmp", "/run"]);

/** Hides a folder, under whatever name it is given; the root cannot be hidden. */
export function hide(view: View, folder: string, kind: "hidden" | "private" = "hidden"): void {
  const real = realFolder(folder);
  if (real !== undefined && real !== "/") view.set(real, { kind });
}

function realFolder(folder: string): string | undefined {
  try {
    const real = fs.realpathSync(folder);
    return fs.statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}
