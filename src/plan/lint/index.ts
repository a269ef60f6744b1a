import { ancestry, type Ancestry } from "../graph.ts";
import { indexGlobs, type GlobIndex } from "./globs.ts";
import { sortedPaths, type SortedPaths } from "../sorted-paths.ts";
import { isGlob } from "../paths.ts";
import type { Task } from "../types.ts";

/** A task that creates or deletes a path it names literally; `sure` is false for the short form, which only allows it. */
export interface Event {
  readonly id: string;
  readonly makes: boolean;
  readonly sure: boolean;
}

/** Which tasks create, delete and write what. */
export interface PlanIndex {
  readonly order: Ancestry;
  readonly events: ReadonlyMap<string, readonly Event[]>;
  readonly made: SortedPaths;
  /** Tasks that may write a path or something inside it, by path. */
  readonly writers: ReadonlyMap<string, ReadonlySet<string>>;
  readonly globs: GlobIndex;
}

/** Reads the files of all tasks once; self-dependencies are reported elsewhere and must not count as cycles here. */
export function indexPlan(tasks: readonly Task[]): PlanIndex {
  const order = ancestry(tasks.map(({ id, depends }) => ({ id, depends: depends.filter((other) => other !== id) })));
  const events = new Map<string, Event[]>();
  const writers = new Map<string, Set<string>>();
  const made = new Set<string>();
  for (const { id, files } of tasks) {
    const addEvent = (path: string, event: Omit<Event, "id">): void => {
      if (!events.has(path)) events.set(path, []);
      events.get(path)!.push({ id, ...event });
      if (event.makes) made.add(path);
    };
    for (const path of files.create.filter(isLiteral)) addEvent(path, { makes: true, sure: true });
    for (const path of files.touch.filter(isLiteral)) addEvent(path, { makes: true, sure: false });
    for (const path of files.delete.filter(isLiteral)) addEvent(path, { makes: false, sure: true });
    for (const path of [...files.create, ...files.touch, ...files.modify].filter(isLiteral))
      addWriter(writers, path, id);
  }
  return { order, events, writers, made: sortedPaths(made), globs: indexGlobs(tasks) };
}

function isLiteral(pattern: string): boolean {
  return !isGlob(pattern);
}

function addWriter(writers: Map<string, Set<string>>, path: string, id: string): void {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const part = path.slice(0, end);
    if (!writers.has(part)) writers.set(part, new Set());
    writers.get(part)!.add(id);
  }
}
