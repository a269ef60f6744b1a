import fs from "node:fs";
import path from "node:path";
import { sandboxLimits } from "./limits.ts";
import type { Mount } from "./sandbox.ts";

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

/** Shows a file or folder with the links that lead to it, but never the whole of what is hidden, such as HOME. */
export function reveal(view: View, file: string): void {
  const real = followLinks(view, file);
  if (real === undefined || isHiddenTop(view, real)) return;
  if (isOutOfSight(view, real)) view.set(real, { kind: "shown" });
}

/** Shows what a person named in the settings; returns false if nothing has that name. */
export function revealMount(view: View, { path: file, writable }: Mount): boolean {
  const real = followLinks(view, file);
  if (real !== undefined) view.set(real, { kind: writable ? "writable" : "shown" });
  return real !== undefined;
}

/** Shows a program together with the files it needs, and nothing else around it. */
export function revealProgram(view: View, file: string): void {
  const real = followLinks(view, file);
  if (real === undefined || !isOutOfSight(view, real)) return;
  for (const part of partsOf(view, real)) if (fs.existsSync(part)) view.set(part, { kind: "shown" });
}

/** Shows a folder of PATH: its programs, the targets of links among them, and what a prefix has beside `bin`. */
export function revealSearchFolder(view: View, folder: string): void {
  const real = followLinks(view, folder);
  if (real === undefined || isHiddenTop(view, real)) return;
  if (isOutOfSight(view, real)) {
    view.set(real, { kind: "shown" });
    for (const part of besideBin(view, real)) view.set(part, { kind: "shown" });
  }
  for (const link of linksIn(real)) revealProgram(view, link);
}

/** Returns a package with those it needs, a program with its prefix, or the file alone. */
function partsOf(view: View, file: string): string[] {
  const inPackage = /^(.*?\/node_modules)\//.exec(file)?.[1];
  if (inPackage !== undefined) return [inPackage];
  const folder = path.dirname(file);
  return [file, ...(path.basename(folder) === "bin" ? [folder, ...besideBin(view, folder)] : [])];
}

function besideBin(view: View, folder: string): string[] {
  const prefix = path.dirname(folder);
  if (path.basename(folder) === ".bin" && path.basename(prefix) === "node_modules") return [prefix];
  // Beside ~/bin is the whole home, and beside ~/.local/bin the data of every program, including keyrings.
  const isShared = path.basename(prefix) === ".local" || isHiddenTop(view, prefix);
  if (path.basename(folder) !== "bin" || isShared) return [];
  return prefixParts.map((name) => path.join(prefix, name)).filter((part) => fs.existsSync(part));
}

const prefixParts = ["lib", "lib64", "libexec", "share", "include", "conf", "jmods", "pkg", "pyvenv.cfg"];

function isHiddenTop(view: View, folder: string): boolean {
  return view.get(folder)?.kind === "hidden";
}

function linksIn(folder: string): string[] {
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true }).slice(0, sandboxLimits.searchFolderEntriesMax);
    return entries.filter((entry) => entry.isSymbolicLink()).map((entry) => path.join(folder, entry.name));
  } catch {
    return [];
  }
}

/** Whether the host's file is out of sight there. */
function isOutOfSight(view: View, file: string): boolean {
  const { kind } = sightOf(view, file);
  return kind !== "shown" && kind !== "writable";
}

/** Adds every link on the way to a file to the view, unless it is visible already, and returns where the way ends. */
function followLinks(view: View, file: string): string | undefined {
  let waiting = file.split("/").filter((name) => name !== "");
  let at = "/";
  for (let steps = 0; steps < stepsMax; steps += 1) {
    const [name, ...rest] = waiting;
    if (name === undefined) return at;
    const next = path.join(at, name);
    const stat = lstatOf(next);
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

/** The kernel gives up after 40 links; there are names between them. */
const stepsMax = 1_000;

/** Returns the stat of what a name leads to. What cannot be examined, such as another user's folder on PATH, cannot be used either. */
export function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file);
  } catch {
    return undefined;
  }
}

/** The same of a name itself. A name below a file is looked up by programs that try, and is not there. */
export function lstatOf(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file);
  } catch {
    return undefined;
  }
}
