import { existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { chmod, copyFile, mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inLayer, type Layer, type LayerTools } from "../sandbox/layer.ts";
import { isWhiteout, type Tree } from "../sandbox/tree-lookup.ts";
import { type Checkout, checkoutStyle, indexOf } from "./checkout.ts";
import { readMade } from "./furnished.ts";
import type { TrackedFiles } from "./tracked-files.ts";
import { execFile, removeTree } from "./remove.ts";
import { treeOf } from "./set-up.ts";
import { bytesOf, type Tracked } from "./untracked.ts";

/** Makes the folders for a tree of which only the changes are its own. */
export async function layerIn(dir: string, lower: Tree): Promise<Layer> {
  return await layerOf({ lower, upper: treeOf(dir), work: workOf(dir) });
}

/** Makes the folders for a HOME above folders that others have too. */
export async function homeIn(dir: string, lower: readonly string[]): Promise<Layer> {
  return await layerOf({ lower, upper: join(dir, "home"), work: join(dir, "home.work") });
}

async function layerOf(layer: Required<Layer>): Promise<Layer> {
  for (const folder of [layer.upper, layer.work]) await mkdir(folder, { recursive: true, mode: 0o700 });
  return layer;
}

/** Whether the tree in this folder has only changes. */
export function isLayered(dir: string): boolean {
  return existsSync(workOf(dir));
}

/** The folder beside a tree that has only changes. */
export function workOf(dir: string): string {
  return join(dir, "tree.work");
}

/** What lies below a checkout of which only the changes are its own. */
export interface Below {
  readonly files: TrackedFiles;
  readonly layers: LayerTools;
}

/** A workspace as a session left it. */
export interface FoundWorkspace {
  readonly checkout: Checkout;
  /** What set-up had made there. */
  readonly madePaths: readonly string[];
  readonly below?: Below;
}

/** Describes a workspace that has only changes, with what lies below. */
export async function openLayered(dir: string, below: Below): Promise<FoundWorkspace> {
  const { commit, index, tree } = below.files;
  const files: TrackedFiles = existsSync(rulesOf(dir))
    ? { ...below.files, tree: [rulesOf(dir), ...tree] }
    : below.files;
  const checkout = { dir: treeOf(dir), index, commit, ...checkoutStyle };
  return { checkout, madePaths: await readMade(dir), below: { ...below, files } };
}

/**
 * Keeps beside the tree those files of set-up's that git obeys: a virtual environment, say, has a `.gitignore` that says
 * nothing in it is work. What else set-up made is not needed to tell what an agent did, and may be gone by then.
 */
export async function keepRules(dir: string, made: string): Promise<void> {
  await mkdir(rulesOf(dir), { mode: 0o700 });
  const named = ["(", "-name", ".gitignore", "-o", "-name", ".gitattributes", ")"];
  const found = ["find", ".", "-type", "f", ...named, "-exec", "cp", "--parents", "-t", rulesOf(dir), "--", "{}", "+"];
  await execFile("sh", ["-c", 'cd "$0" && exec "$@"', made, ...found]);
}

function rulesOf(dir: string): string {
  return join(dir, "tree.rules");
}

/** Says that a workspace has only changes and cannot be read. */
export function cannotJoin(dir: string): Error {
  return new Error(
    `${dir} has only what was changed, and this machine can no longer join it with the other files. Make bubblewrap work again as it did.`,
  );
}

/**
 * Puts all files into a workspace that has only changes. What it had is moved aside until all of it is there, so that a
 * crash leaves one or the other.
 */
export async function makeWhole(
  dir: string,
  { layers, lower, index }: { readonly layers: LayerTools; readonly lower: readonly string[]; readonly index: string },
): Promise<void> {
  const [tree, whole] = [treeOf(dir), join(dir, "tree.whole")];
  await removeTree(whole);
  await mkdir(whole, { mode: 0o700 });
  const [unshare = "", ...rest] = inLayer(layers, { lower, upper: tree }, ["cp", "-a", "--", ".", whole]);
  await execFile(unshare, rest);
  await copyFile(index, indexOf(tree));
  await rename(tree, layerAside(dir));
  await rename(whole, tree);
  await removeTree(workOf(dir));
  await removeTree(layerAside(dir));
}

/** Undoes what a crash left half done. */
export async function putBackLayer(dir: string): Promise<void> {
  const aside = layerAside(dir);
  if (existsSync(aside) && !existsSync(treeOf(dir))) await rename(aside, treeOf(dir));
}

function layerAside(dir: string): string {
  return join(dir, "tree.layer");
}

/**
 * Moves what is not tracked from a layer to a folder of its own: what set-up did to tracked files, and what it put in their
 * place, is left behind.
 */
export async function moveUntracked(upper: string, to: string, tracked: Tracked): Promise<void> {
  mkdirSync(to, { recursive: true, mode: 0o755 });
  for (const path of beside(upper, tracked).tops) {
    mkdirSync(bytesOf(to, dirname(path)), { recursive: true });
    await moveClosed(bytesOf(upper, path), bytesOf(to, path));
  }
}

/** Moves a file or folder; a folder in which its owner may not write cannot be moved as it is. */
export async function moveClosed(from: string | Buffer, to: string | Buffer): Promise<void> {
  const stat = lstatSync(from);
  const isClosed = stat.isDirectory() && (stat.mode & 0o200) === 0;
  if (isClosed) await chmod(from, stat.mode | 0o200);
  await rename(from, to);
  if (isClosed) await chmod(to, stat.mode);
}

/** Whether a file of this folder would be seen in the place of a tracked one, if the folder lay above the tracked files. */
export function hidesTracked(upper: string, tracked: Tracked): boolean {
  return beside(upper, tracked).hides;
}

/**
 * Lists the files and folders of a layer that have nothing tracked in or below their place, each without what is in it, and
 * says whether there is anything else but folders.
 */
function beside(upper: string, { files, folders }: Tracked): { readonly tops: string[]; readonly hides: boolean } {
  const tops: string[] = [];
  let hides = false;
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of readdirSync(bytesOf(upper, folder), { encoding: "latin1", withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (path === ".git") continue;
      if (files.has(path)) hides = true;
      else if (folders.has(path)) {
        if (entry.isDirectory()) waiting.push(path);
        else hides = true;
      } else if (!entry.isCharacterDevice() || !isWhiteout(lstatSync(bytesOf(upper, path)))) tops.push(path);
    }
  }
  return { tops, hides };
}
