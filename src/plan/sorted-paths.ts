import { isGlob, matcher, staticPrefix } from "./paths.ts";

/** A set of paths that answers questions about folders and globs without reading all of it each time. */
export interface SortedPaths {
  readonly has: (path: string) => boolean;
  readonly hasFolder: (path: string) => boolean;
  readonly hasMatch: (pattern: string) => boolean;
  readonly matching: (pattern: string) => Iterable<string>;
  readonly startingWith: (prefix: string) => Iterable<string>;
}

/** Each set is sorted once, however many rules ask about it: it may have the 100,000 files of a repository. */
export function sortedPaths(paths: ReadonlySet<string>): SortedPaths {
  const made = known.get(paths) ?? sortedLater(paths);
  known.set(paths, made);
  return made;
}

const known = new WeakMap<ReadonlySet<string>, SortedPaths>();

/** Sorting waits for the first question that needs it, because most plans never ask one. */
function sortedLater(paths: ReadonlySet<string>): SortedPaths {
  let sorted: readonly string[] | undefined;
  const found = new Map<string, boolean>();
  const under = (prefix: string): Iterable<string> => startingWith((sorted ??= [...paths].toSorted(byUnit)), prefix);
  const matching = (pattern: string): Iterable<string> => filter(under(staticPrefix(pattern)), matcher([pattern]));
  return {
    has: (path) => paths.has(path),
    hasFolder: (path) => !isEmpty(under(`${path}/`)),
    hasMatch: (pattern) => {
      if (paths.has(pattern)) return true;
      if (!isGlob(pattern)) return false;
      if (!found.has(pattern)) found.set(pattern, !isEmpty(matching(pattern)));
      return found.get(pattern)!;
    },
    matching,
    startingWith: under,
  };
}

function byUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function* startingWith(sorted: readonly string[], prefix: string): Iterable<string> {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < prefix) low = middle + 1;
    else high = middle;
  }
  for (let index = low; index < sorted.length && sorted[index]!.startsWith(prefix); index += 1) yield sorted[index]!;
}

function* filter(paths: Iterable<string>, keep: (path: string) => boolean): Iterable<string> {
  for (const path of paths) if (keep(path)) yield path;
}

function isEmpty(paths: Iterable<string>): boolean {
  for (const _ of paths) return false;
  return true;
}
