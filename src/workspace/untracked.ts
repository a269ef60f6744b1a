import { lstatSync, readdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { parseIndex } from "../git/index-file.ts";
import type { Control } from "../git/control.ts";
import type { Checkout } from "./checkout.ts";

/** What lies in a checkout besides its tracked files, ignored or not: raw path → what would show a change. */
export type Untracked = ReadonlyMap<string, string>;

/** Looks at everything that is not tracked. A name is one character per byte, because it need not be UTF-8. */
export async function listUntracked(control: Control, checkout: Checkout): Promise<Untracked> {
  const entries = parseIndex(await readFile(checkout.index), control.objectFormat);
  const tracked = new Set(entries.map((entry) => entry.rawPath));
  const folders = new Set(entries.flatMap((entry) => parentsOf(entry.rawPath)));
  const found = new Map<string, string>();
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of readdirSync(bytesOf(checkout, folder), { encoding: "latin1", withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (path === ".git" || (tracked.has(path) && !entry.isDirectory())) continue;
      if (entry.isDirectory()) waiting.push(path);
      if (!folders.has(path)) found.set(path, signature(checkout, path));
    }
  }
  return found;
}

/**
 * Removes what was not there when `before` was listed. False if something that was there is gone or changed:
 * then only a new checkout is what this one was.
 */
export async function removeNewcomers(control: Control, checkout: Checkout, before: Untracked): Promise<boolean> {
  const now = await listUntracked(control, checkout);
  for (const path of now.keys()) {
    if (!before.has(path)) rmSync(bytesOf(checkout, path), { recursive: true, force: true });
  }
  return [...before].every(([path, seen]) => now.get(path) === seen);
}

/** A program can set a file's modification time, but not the time of its last change of any kind. */
function signature(checkout: Checkout, path: string): string {
  const stat = lstatSync(bytesOf(checkout, path), { bigint: true });
  return stat.isDirectory() ? `folder ${stat.mode}` : `${stat.ino} ${stat.size} ${stat.mode} ${stat.ctimeNs}`;
}

function parentsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

function bytesOf(checkout: Checkout, rawPath: string): Buffer {
  return Buffer.concat([Buffer.from(`${checkout.dir}/`), Buffer.from(rawPath, "latin1")]);
}
