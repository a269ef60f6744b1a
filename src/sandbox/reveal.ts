import fs from "node:fs";
import path from "node:path";
import { sandboxLimits } from "./limits.ts";
import type { Mount } from "./sandbox.ts";
import { followLinks, isOutOfSight, type View } from "./view.ts";

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
