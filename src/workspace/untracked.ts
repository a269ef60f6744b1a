import { accessSync, constants, lstatSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { gitlinkMode, parseIndex } from "../git/index-file.ts";
import type { Control } from "../git/control.ts";
import type { Checkout } from "./checkout.ts";
import { readRegularFile } from "./fingerprint.ts";

/** What is in a checkout besides its tracked files, ignored or not: raw path → what would show a change. */
export type Untracked = ReadonlyMap<string, string>;

/** Lists everything that is not tracked. A name has one character per byte, because it need not be UTF-8. */
export async function listUntracked(control: Control, checkout: Checkout): Promise<Untracked> {
  const entries = parseIndex(await readRegularFile(checkout.index), control.objectFormat);
  const submodules = entries.filter((entry) => entry.mode === gitlinkMode).map((entry) => entry.rawPath);
  const files = new Set(entries.filter((entry) => entry.mode !== gitlinkMode).map((entry) => entry.rawPath));
  // A submodule's folder is tracked, but nothing in it is.
  const folders = new Set([...submodules, ...entries.flatMap((entry) => parentsOf(entry.rawPath))]);
  const found = new Map<string, string>();
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of readdirSync(bytesOf(checkout, folder), { encoding: "latin1", withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (path === ".git") continue;
      if (entry.isDirectory()) waiting.push(path);
      // A link in place of a tracked folder is not tracked, and may lead anywhere.
      const tracked = entry.isDirectory() ? folders.has(path) : files.has(path);
      if (!tracked) found.set(path, signature(checkout, path));
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
    if (!before.has(path)) rmSync(bytesOf(checkout, path), { recursive: true, force: true });
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
function signature(checkout: Checkout, path: string): string {
  const stat = lstatSync(bytesOf(checkout, path), { bigint: true });
  if (stat.isDirectory()) return `folder ${stat.mode}`;
  return `${stat.isSymbolicLink() ? linkMark : ""}${stat.ino} ${stat.size} ${stat.mode} ${stat.ctimeNs}`;
}

/** Returns where a link points and where it ends; there may be more links on the way. */
function targetsOf(checkout: Checkout, { tree, path }: { readonly tree: string; readonly path: string }): string[] {
  const link = bytesOf(checkout, path);
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

function parentsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

function bytesOf(checkout: Checkout, rawPath: string): Buffer {
  return Buffer.concat([Buffer.from(`${checkout.dir}/`), Buffer.from(rawPath, "latin1")]);
}

function latin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}
