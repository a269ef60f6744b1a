import { accessSync, constants, type Dirent, lstatSync, readdirSync } from "node:fs";
import { gitlinkMode, type IndexEntry } from "../git/index-file.ts";
import { inLayer, type LayerTools } from "../sandbox/layer.ts";
import { lookUp, type Tree } from "../sandbox/tree-lookup.ts";
import { workspaceLimits } from "./limits.ts";
import type { Problem } from "./refusals.ts";
import { printedBy } from "./remove.ts";
import { seenAt } from "./submodules.ts";
import { bytesOf, firstFrom, trackedIn } from "./untracked.ts";

/** What is in a layer: all that may differ from what is below. Paths have one character per byte. */
export interface LayerChanges {
  /** The paths to look at, each with all that is below it; undefined if they are too many, and everything must be looked at. */
  readonly paths: readonly string[] | undefined;
  /** Tracked files that the layer has a file for. */
  readonly touched: ReadonlySet<string>;
}

/** Reads what changed from the layer alone, however many files there are below it. */
export async function changesInLayer(
  layers: LayerTools,
  { upper, lower, entries }: { readonly upper: string; readonly lower: Tree; readonly entries: readonly IndexEntry[] },
): Promise<LayerChanges> {
  const tracked = trackedIn(entries);
  const submodules = new Set(entries.filter(({ mode }) => mode === gitlinkMode).map(({ rawPath }) => rawPath));
  const paths: string[] = [];
  const touched = new Set<string>();
  const opened = new Map<string, ReadonlySet<string>>();
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const found = entriesIn(upper, folder);
    if (found === undefined) {
      paths.push(folder);
      for (const { rawPath } of entries) if (rawPath.startsWith(`${folder}/`)) touched.add(rawPath);
      continue;
    }
    opened.set(folder, new Set(found.map(({ name }) => name)));
    // Git must see for itself what a repository inside this one is.
    if (folder !== "" && found.some(({ name }) => name === ".git")) paths.push(folder);
    for (const entry of found) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === ".git" || submodules.has(path)) continue;
      const isTracked = tracked.files.has(path) || tracked.folders.has(path);
      if (tracked.files.has(path)) touched.add(path);
      if (entry.isDirectory() && tracked.folders.has(path)) waiting.push(path);
      // Only the kernel makes devices here, to mark what was removed. Where that was set-up's, git does not know it.
      else if (isTracked || !entry.isCharacterDevice()) paths.push(path);
    }
  }
  opened.delete("");
  const all = [...paths, ...(await replacedFolders(layers, { upper, lower, entries, opened }))];
  return { paths: all.length > workspaceLimits.layerPathsMax ? undefined : all, touched };
}

/** Lists a folder; undefined if the agent closed it, so that git must say what cannot be read there. */
function entriesIn(upper: string, folder: string): Dirent[] | undefined {
  try {
    accessSync(bytesOf(upper, folder), constants.X_OK);
    return readdirSync(bytesOf(upper, folder), { encoding: "latin1", withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EACCES") return undefined;
    throw error;
  }
}

/**
 * Finds folders that were removed and made again: they hide everything that was in them, and the layer has no mark for each
 * file. Whether one does is seen by a tracked name that the layer does not mention: is it still there when all is joined?
 */
async function replacedFolders(
  layers: LayerTools,
  layer: {
    readonly upper: string;
    readonly lower: Tree;
    readonly entries: readonly IndexEntry[];
    readonly opened: ReadonlyMap<string, ReadonlySet<string>>;
  },
): Promise<string[]> {
  const { upper, lower, entries, opened } = layer;
  const unmentioned = new Map<string, string>();
  for (const [folder, names] of opened) {
    const path = unmentionedIn(entries, folder, names);
    if (path !== undefined) unmentioned.set(folder, path);
  }
  const asked = [...unmentioned.values()].map((path) => utf8(path));
  const gone = await missingOf(layers, { upper, lower }, asked);
  // A name that is not UTF-8 cannot be asked for, so its folder is looked at as a whole.
  return [...unmentioned].flatMap(([folder, path], at) => {
    const name = asked[at] ?? "";
    return gone.has(name) || Buffer.from(name).toString("latin1") !== path ? [folder] : [];
  });
}

/** Finds something tracked in a folder that is none of these names. */
function unmentionedIn(entries: readonly IndexEntry[], folder: string, names: ReadonlySet<string>): string | undefined {
  for (let at = firstFrom(entries, `${folder}/`); entries[at]?.rawPath.startsWith(`${folder}/`) === true;) {
    const rest = entries[at]?.rawPath.slice(folder.length + 1) ?? "";
    const name = rest.split("/", 1)[0] ?? "";
    if (!names.has(name)) return `${folder}/${name}`;
    // What is in a folder stands together; "0" is the next character after "/".
    at = name === rest ? at + 1 : firstFrom(entries, `${folder}/${name}0`);
  }
  return undefined;
}

/** Returns which of these paths are not there when all is joined. */
async function missingOf(
  layers: LayerTools,
  layer: { readonly upper: string; readonly lower: Tree },
  asked: readonly string[],
): Promise<ReadonlySet<string>> {
  const script = 'for f; do test -e "$f" || test -L "$f" || printf "%s\\0" "$f"; done';
  const missing = new Set<string>();
  for (let at = 0; at < asked.length; at += askedAtOnce) {
    const argv = ["/bin/sh", "-c", script, "sh", ...asked.slice(at, at + askedAtOnce)];
    const printed = await printedBy(inLayer(layers, layer, argv));
    for (const path of printed.toString("utf8").split("\0")) missing.add(path);
  }
  return missing;
}

/** How many paths one command gets, because the length of a command line is limited. */
const askedAtOnce = 200;

/** Finds changes of the files of submodules, which are below the layer. */
export async function submodulesInLayer(
  layers: LayerTools,
  { upper, lower, entries }: { readonly upper: string; readonly lower: Tree; readonly entries: readonly IndexEntry[] },
): Promise<Problem[]> {
  const links = entries.filter((entry) => entry.mode === gitlinkMode).map((entry) => utf8(entry.rawPath));
  const touched = links.filter((link) => existsIn(upper, link.split("/", 1)[0] ?? ""));
  // A folder that was removed, and perhaps made again, hides its files, and the layer has no mark for each.
  const filled = touched.flatMap((link) => filesIn(lower.at(-1) ?? "", link));
  const missing = await missingOf(layers, { upper, lower }, filled);
  return touched.flatMap((link) => {
    const changed =
      filesIn(upper, link).find((path) => isChanged(upper, lower, path)) ??
      filled.find((path) => path.startsWith(`${link}/`) && missing.has(path));
    if (changed === undefined) return [];
    return [{ kind: "submodule", path: link, message: `${changed} was changed; submodules may not change.` }];
  });
}

function isChanged(upper: string, lower: Tree, path: string): boolean {
  const before = lookUp(lower, path, { follow: false });
  const isNew = typeof before === "string";
  if (path.split("/").includes(".git")) return true;
  return !isNew && (before.kind === "folder" || seenAt(before.host) !== seenAt(`${upper}/${path}`));
}

function filesIn(upper: string, folder: string): string[] {
  try {
    const stat = lstatSync(`${upper}/${folder}`, { throwIfNoEntry: false });
    if (stat === undefined) return [];
    if (!stat.isDirectory()) return [folder];
    return readdirSync(`${upper}/${folder}`).flatMap((name) => filesIn(upper, `${folder}/${name}`));
  } catch {
    // The agent closed the folder.
    return [folder];
  }
}

function existsIn(upper: string, name: string): boolean {
  return lstatSync(`${upper}/${name}`, { throwIfNoEntry: false }) !== undefined;
}

function utf8(raw: string): string {
  return Buffer.from(raw, "latin1").toString("utf8");
}
