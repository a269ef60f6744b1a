import { accessSync, constants, lstatSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { gitlinkMode, type IndexEntry, parseIndex } from "../git/index-file.ts";
import type { Control } from "../git/control.ts";
import type { Checkout } from "./checkout.ts";
import { readRegularFile } from "./fingerprint.ts";

/** What is in a checkout besides its tracked files, ignored or not: raw path → what would show a change. */
export type Untracked = ReadonlyMap<string, string>;

/** The names that git tracks in a checkout; a submodule's folder is one, but nothing in it is. */
export interface Tracked {
  readonly files: Pick<ReadonlySet<string>, "has">;
  readonly folders: Pick<ReadonlySet<string>, "has">;
}

/** Looks names up where they are: a set of all of them would take longer to make than most callers have to ask. */
export function trackedIn(entries: readonly IndexEntry[]): Tracked {
  const at = (path: string) => entries[firstFrom(entries, path)];
  const isLink = (path: string) => at(path)?.rawPath === path && at(path)?.mode === gitlinkMode;
  return {
    files: { has: (path) => at(path)?.rawPath === path && !isLink(path) },
    folders: { has: (path) => at(`${path}/`)?.rawPath.startsWith(`${path}/`) === true || isLink(path) },
  };
}

/** Finds the first entry of an index that does not come before this path: git sorts them by their bytes. */
export function firstFrom(entries: readonly IndexEntry[], path: string): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((entries[middle]?.rawPath ?? "") < path) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Lists everything that is not tracked. A name has one character per byte, because it need not be UTF-8. */
export async function listUntracked(control: Control, checkout: Checkout): Promise<Untracked> {
  return listBesides(checkout.dir, trackedIn(parseIndex(await readRegularFile(checkout.index), control.objectFormat)));
}

/** Lists what is in a folder besides what is tracked there. */
export function listBesides(dir: string, { files, folders }: Tracked): Untracked {
  const found = new Map<string, string>();
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of readdirSync(bytesOf(dir, folder), { encoding: "latin1", withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (path === ".git") continue;
      if (entry.isDirectory()) waiting.push(path);
      // A link in place of a tracked folder is not tracked, and may lead anywhere.
      const tracked = entry.isDirectory() ? folders.has(path) : files.has(path);
      if (!tracked) found.set(path, signature(dir, path));
    }
  }
  return found;
}

/**
 * Removes what was not there when `before` was listed. Returns false if something that was there is gone or changed: then
 * only a new checkout can replace this one.
 */
export async function removeNewcomers(control: Control, checkout: Checkout, before: Untracked): Promise<boolean> {
  const now = await listUntracked(control, checkout);
  for (const path of now.keys()) {
    if (!before.has(path)) rmSync(bytesOf(checkout.dir, path), { recursive: true, force: true });
  }
  return [...before].every(([path, seen]) => now.get(path) === seen);
}

/** Whether a link among these leads to something outside the tree that could change: a look at the tree would not show it. */
export function leavesTree(checkout: Checkout, untracked: Untracked): boolean {
  const tree = latin1(realpathSync(checkout.dir));
  const links = [...untracked].filter(([, seen]) => seen.startsWith(linkMark)).map(([path]) => path);
  return links.some((path) => targetsOf(checkout, { tree, path }).some((to) => !isWithin(tree, to) && isWritable(to)));
}

const linkMark = "link ";

/** A program can set a file's modification time, but not the time of its last change of any kind. */
function signature(dir: string, path: string): string {
  const stat = lstatSync(bytesOf(dir, path), { bigint: true });
  if (stat.isDirectory()) return `folder ${stat.mode}`;
  return `${stat.isSymbolicLink() ? linkMark : ""}${stat.ino} ${stat.size} ${stat.mode} ${stat.ctimeNs}`;
}

/** Returns where a link points and where it ends; there may be more links on the way. */
function targetsOf(checkout: Checkout, { tree, path }: { readonly tree: string; readonly path: string }): string[] {
  const link = bytesOf(checkout.dir, path);
  const said = resolve(dirname(`${tree}/${path}`), readlinkSync(link, { encoding: "latin1" }));
  try {
    return [said, realpathSync(link, { encoding: "latin1" })];
  } catch {
    return [said];
  }
}

function isWithin(tree: string, path: string): boolean {
  return path === tree || path.startsWith(`${tree}/`);
}

/** Whether we could change a path: what only an administrator can change, such as `/usr/bin/python3`, is the same for every check. */
function isWritable(path: string): boolean {
  try {
    accessSync(Buffer.from(path, "latin1"), constants.W_OK);
    return true;
  } catch {
    return path !== "/" && isWritable(dirname(path));
  }
}

/** Returns a path as bytes. */
export function bytesOf(dir: string, rawPath: string): Buffer {
  return Buffer.concat([Buffer.from(`${dir}/`), Buffer.from(rawPath, "latin1")]);
}

function latin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}
