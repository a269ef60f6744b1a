import { sortedPaths } from "../sorted-paths.ts";
import { isGlob, matcher, staticPrefix, type Matcher } from "../paths.ts";
import type { Task } from "../types.ts";

/** A glob in `files` of a task; `makes` is false under modify, which cannot create a file. */
export interface GlobEntry {
  readonly id: string;
  readonly makes: boolean;
  /** What every match starts with; it often saves trying the expression. */
  readonly stem: string;
  readonly folder: string;
  readonly matches: Matcher;
}

/** The globs of a plan by folder, so that a path meets only those that can cover it. */
export interface GlobIndex {
  readonly covering: (path: string) => Iterable<GlobEntry>;
  /** Those whose matches all lie in this folder, which is written with its slash. */
  readonly inside: (folder: string) => Iterable<GlobEntry>;
  /** Those whose folder contains this one, or is it. */
  readonly around: (folder: string) => Iterable<GlobEntry>;
}

/** Later tasks come first, because what a task uses was mostly created just before it. */
export function indexGlobs(tasks: readonly Task[]): GlobIndex {
  const byFolder = new Map<string, GlobEntry[]>();
  for (const entry of tasks.toReversed().flatMap(globEntries)) {
    if (!byFolder.has(entry.folder)) byFolder.set(entry.folder, []);
    byFolder.get(entry.folder)!.push(entry);
  }
  const folders = sortedPaths(new Set(byFolder.keys()));
  function* around(path: string): Iterable<GlobEntry> {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 2) + 1) {
      yield* byFolder.get(path.slice(0, end)) ?? [];
    }
    yield* byFolder.get("") ?? [];
  }
  function* covering(path: string): Iterable<GlobEntry> {
    for (const entry of around(path)) if (path.startsWith(entry.stem) && entry.matches(path)) yield entry;
  }
  function* inside(folder: string): Iterable<GlobEntry> {
    for (const found of folders.startingWith(folder)) yield* byFolder.get(found)!;
  }
  return { covering, inside, around };
}

function globEntries({ id, files }: Task): GlobEntry[] {
  const made = [...files.create, ...files.touch].map((glob) => ({ glob, makes: true }));
  const modified = files.modify.map((glob) => ({ glob, makes: false }));
  return [...made, ...modified]
    .filter(({ glob }) => isGlob(glob))
    .map(({ glob, makes }) => {
      const folder = staticPrefix(glob);
      return { id, makes, folder, stem: folder + /^[\w./-]*/.exec(glob.slice(folder.length))![0], matches: lazy(glob) };
    });
}

/** Most globs of a large plan are never tried. */
function lazy(glob: string): Matcher {
  let compiled: Matcher | undefined;
  return (path) => (compiled ??= matcher([glob]))(path);
}
