import fs from "node:fs";
import path from "node:path";

/** What stands at a path inside, and at all below it that have no sight of their own. */
export type Sight =
  /** The host's, to be read. */
  | { readonly kind: "shown" }
  /** The host's, to be changed too. */
  | { readonly kind: "writable" }
  /** Nothing, and nothing can be put there. */
  | { readonly kind: "hidden" }
  /** An empty folder of the room's own, gone with it. */
  | { readonly kind: "private" }
  /** A file without its content. */
  | { readonly kind: "emptied" }
  | { readonly kind: "link"; readonly target: string };

/** By real path; the nearest path above decides. */
export type View = Map<string, Sight>;

/** What a process sees at a path. */
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

/** Puts every link on the way to a file into the view, as far as it is out of sight, and returns where the way ends. */
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

/** Of what a name leads to. What cannot be looked at, such as a folder of another user that PATH names, cannot be used either. */
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

/** The kernel gives up after 40 links; a way has names between them. */
const stepsMax = 1_000;

/** The view of the whole machine, but for what belongs to running programs: their processes, sockets and temporary files. */
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

/** What the sandbox makes itself, or what must not be the host's. */
const ownPlaces: ReadonlySet<string> = new Set(["/proc", "/dev", "/stint", "/tmp", "/run"]);

/** Takes a folder out of sight, under whatever name; the root cannot be. */
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
