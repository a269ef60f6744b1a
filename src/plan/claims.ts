import { sortedPaths, type SortedPaths } from "./sorted-paths.ts";
import { expandBraces, fileKey, isGlob, staticPrefix } from "./paths.ts";
import type { TaskFiles } from "./types.ts";
import { planLimits } from "./limits.ts";

/** What a task may touch, so that two tasks that might meet are not worked on at once. */
export interface Claims {
  readonly paths: readonly string[];
  /** Everything below these may be touched; each ends with a slash, "" is the whole repo. */
  readonly folders: readonly string[];
}

/**
 * Works out what each task claims on the tree of the run's base. A glob for existing files claims those that exist; of
 * files that are yet to be created only the folder is known, so the folder is claimed: in doubt, two tasks overlap.
 */
export function claimsOfAll(tasks: readonly { readonly files: TaskFiles }[], tree: ReadonlySet<string>): Claims[] {
  const found = sortedPaths(tree);
  const pathsMax = Math.min(planLimits.claimedPathsMax, Math.floor(planLimits.claimedPathsOfAllMax / tasks.length));
  return tasks.map(({ files }) => claimsIn(files, { tree: found, pathsMax }));
}

/** Works out the claims of one task without a tree: every glob claims its folder. */
export function claimsOf(files: TaskFiles): Claims {
  return claimsIn(files, { tree: undefined, pathsMax: 0 });
}

/** Finds the first place that two tasks might both touch, as a path or as a folder with its slash; undefined where they cannot meet. */
export function meetingPlace(a: Claims, b: Claims): string | undefined {
  const [ours, theirs] = [keysOf(a), keysOf(b)];
  return firstIn(ours, theirs) ?? firstIn(theirs, ours);
}

/** Claims as folders: two tasks might meet where a key of one begins with a key of the other, just as in `meetingPlace`. */
export function claimKeys({ paths, folders }: Claims): string[] {
  // A path counts as a folder as well: it may have been one, or become one.
  return [...paths.map((path) => `${fileKey(path)}/`), ...folders.map(fileKey)];
}

/** Whether a path lies within what is claimed. */
export function isClaimed(path: string, claims: Claims): boolean {
  return covers(keysOf(claims), fileKey(path));
}

function claimsIn(
  files: TaskFiles,
  { tree, pathsMax }: { readonly tree: SortedPaths | undefined; readonly pathsMax: number },
): Claims {
  const [made, changed] = [
    [...files.create, ...files.touch].flatMap(alternatives),
    [...files.modify, ...files.delete].flatMap(alternatives),
  ];
  const paths = new Set([...made, ...changed].filter((pattern) => !isGlob(pattern)));
  const folders = new Set(made.filter(isGlob).map(folderOf));
  for (const pattern of changed.filter(isGlob)) {
    const matches = tree === undefined ? undefined : atMost(tree.matching(pattern), pathsMax - paths.size);
    if (matches === undefined) folders.add(folderOf(pattern));
    else for (const path of matches) paths.add(path);
  }
  return { paths: [...paths], folders: [...folders] };
}

/** A list in braces names its files, unless it is too long to have been written by hand. */
function alternatives(pattern: string): readonly string[] {
  return expandBraces(pattern) ?? [pattern];
}

function atMost(found: Iterable<string>, countMax: number): string[] | undefined {
  const taken: string[] = [];
  for (const path of found) {
    if (taken.length >= countMax) return undefined;
    taken.push(path);
  }
  return taken;
}

/** Finds the folder of all matches of a glob; a literal beginning that ends within a name is cut back to its folder. */
function folderOf(pattern: string): string {
  const prefix = staticPrefix(pattern);
  return prefix.slice(0, prefix.lastIndexOf("/") + 1);
}

/** Claims ready to compare: each path as written, by the key under which a case-insensitive file system finds it. */
interface Keys {
  readonly paths: ReadonlyMap<string, string>;
  readonly folders: ReadonlyMap<string, string>;
}

const known = new WeakMap<Claims, Keys>();

/** The scheduler compares the same claims again and again. */
function keysOf(claims: Claims): Keys {
  const found = known.get(claims);
  if (found !== undefined) return found;
  const paths = new Map(claims.paths.map((path) => [fileKey(path), path]));
  const keys = { paths, folders: new Map(claims.folders.map((folder) => [fileKey(folder), folder])) };
  known.set(claims, keys);
  return keys;
}

function firstIn(ours: Keys, theirs: Keys): string | undefined {
  for (const [key, path] of ours.paths) if (covers(theirs, key)) return path;
  for (const [key, folder] of ours.folders) if (theirs.folders.has("") || isBelow(theirs, key)) return folder;
  return undefined;
}

/** Whether a key is a claimed path, lies below one (a file may become a folder), or lies in a claimed folder. */
function covers(keys: Keys, key: string): boolean {
  return keys.paths.has(key) || keys.folders.has("") || isBelow(keys, key);
}

function isBelow({ paths, folders }: Keys, key: string): boolean {
  for (let end = key.indexOf("/"); end !== -1; end = key.indexOf("/", end + 1)) {
    if (folders.has(key.slice(0, end + 1)) || paths.has(key.slice(0, end))) return true;
  }
  return false;
}
