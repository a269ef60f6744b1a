import { mkdir, rename } from "node:fs/promises";
import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isWhiteout, type Tree } from "../checks/tree-lookup.ts";
import type { Layer } from "../sandbox/layer.ts";
import { treeOf } from "./set-up.ts";
import { bytesOf, type Tracked } from "./untracked.ts";

/** Makes the folders for a tree of which only the changes are its own. */
export async function layerIn(dir: string, lower: Tree): Promise<Layer> {
  const layer = layerOf(dir, lower);
  for (const folder of [layer.upper, workOf(dir)]) await mkdir(folder, { recursive: true, mode: 0o700 });
  return layer;
}

export function layerOf(dir: string, lower: Tree): Layer {
  return { lower, upper: treeOf(dir), work: workOf(dir) };
}

/** The folder beside a tree that shows that only changes are in it. */
export function workOf(dir: string): string {
  return join(dir, "tree.work");
}

/**
 * Moves what is not tracked from a layer to a folder of its own: what set-up did to tracked files, and what it put in their
 * place, is left behind.
 */
export async function moveUntracked(upper: string, to: string, tracked: Tracked): Promise<void> {
  mkdirSync(to, { recursive: true, mode: 0o755 });
  for (const path of untrackedTops(upper, tracked)) {
    mkdirSync(bytesOf(to, dirname(path)), { recursive: true });
    await rename(bytesOf(upper, path), bytesOf(to, path));
  }
}

/** Lists the files and folders of a layer that have nothing tracked in or below their place, each without what is in it. */
function untrackedTops(upper: string, { files, folders }: Tracked): string[] {
  const tops: string[] = [];
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of readdirSync(bytesOf(upper, folder), { encoding: "latin1", withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (path === ".git" || files.has(path)) continue;
      if (folders.has(path)) {
        if (entry.isDirectory()) waiting.push(path);
      } else if (!entry.isCharacterDevice() || !isWhiteout(lstatSync(bytesOf(upper, path)))) tops.push(path);
    }
  }
  return tops;
}
