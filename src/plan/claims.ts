import { isGlob, matcher, staticPrefix } from "./paths.ts";
import type { TaskFiles } from "./types.ts";
import { limits } from "../limits.ts";

/** What a task may touch, so that two tasks that might meet are not worked on at once. */
export interface Claims {
  readonly paths: readonly string[];
  /** Everything below these may be touched; each ends with a slash, "" is the whole repo. */
  readonly folders: readonly string[];
}

/**
 * The claims of a task's files on a tree; null where the tree is not known.
 * Globs for files that exist mean those that exist; what does not exist yet is known by its folder only: doubt is overlap.
 */
export function claimsOf(files: TaskFiles, tree: readonly string[] | null): Claims {
  const patterns = [...files.create, ...files.modify, ...files.delete, ...files.touch];
  const paths = new Set(patterns.filter((pattern) => !isGlob(pattern)));
  const folders = new Set([...files.create, ...files.touch].filter(isGlob).map(folderOf));
  for (const pattern of [...files.modify, ...files.delete].filter(isGlob)) {
    const found = tree === null ? null : tree.filter(matcher([pattern]));
    if (found === null || paths.size + found.length > limits.claimedPathsMax) folders.add(folderOf(pattern));
    else for (const path of found) paths.add(path);
  }
  return { paths: [...paths], folders: [...folders] };
}

/** Whether two tasks might touch the same file, or one a folder where the other has a file. */
export function claimsMeet(a: Claims, b: Claims): boolean {
  const theirs = new Set(b.paths);
  return (
    a.paths.some((path) => theirs.has(path) || b.folders.some((folder) => path.startsWith(folder))) ||
    b.paths.some((path) => a.folders.some((folder) => path.startsWith(folder))) ||
    a.folders.some((one) => b.folders.some((other) => one.startsWith(other) || other.startsWith(one)))
  );
}

/** Whether a path lies within what is claimed. */
export function isClaimed(path: string, { paths, folders }: Claims): boolean {
  return paths.includes(path) || folders.some((folder) => path.startsWith(folder));
}

/** A literal prefix that ends within a name is cut back to its folder. */
function folderOf(pattern: string): string {
  const prefix = staticPrefix(pattern);
  return prefix.slice(0, prefix.lastIndexOf("/") + 1);
}
