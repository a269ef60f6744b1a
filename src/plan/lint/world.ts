import { indexPlan, type Event, type PlanIndex } from "./index.ts";
import { sortedPaths, type SortedPaths } from "../sorted-paths.ts";
import { staticPrefix } from "../paths.ts";
import type { Task } from "../types.ts";

/** What will exist when a task starts, according to the plan: HEAD, and what its dependencies create and delete. */
export interface World {
  /** Whether everything the task waits for is known; false in or behind a cycle, which is reported as such. */
  readonly isOrdered: (task: Task) => boolean;
  readonly isUncommitted: (pattern: string) => boolean;
  readonly existsAtHead: (path: string) => boolean;
  /** Without a task it means the end of the plan. */
  readonly mayExistAfter: (task: Task | undefined, path: string) => boolean;
  /** A file or a folder, when the task starts. */
  readonly mayExistBefore: (task: Task, path: string) => boolean;
  readonly fate: (task: Task, path: string) => Fate;
  readonly globFinds: (task: Task, glob: string) => boolean;
  readonly creatorOf: (path: string, forTask: Task) => string | undefined;
}

/** `by` is the task that decides it; undefined = HEAD does. */
export interface Fate {
  readonly exists: "yes" | "no" | "maybe";
  readonly by: string | undefined;
}

interface Index extends PlanIndex {
  readonly head: SortedPaths;
}

/** Indexes the plan once, so that each question costs little even with 10,000 tasks. */
export function foresee(tasks: readonly Task[], head: ReadonlySet<string>, uncommitted: ReadonlySet<string>): World {
  const index: Index = { ...indexPlan(tasks), head: sortedPaths(head) };
  const fresh = sortedPaths(uncommitted);
  return {
    isOrdered: (task) => index.order.position(task.id) !== undefined,
    isUncommitted: (pattern) => fresh.hasMatch(pattern),
    existsAtHead: (path) => index.head.has(path),
    mayExistAfter: (task, path) => mayExistAfter(index, task, path),
    mayExistBefore: (task, path) => fate(index, task, path).exists !== "no" || mayHoldFiles(index, task, path),
    fate: (task, path) => fate(index, task, path),
    globFinds: (task, glob) => globFinds(index, task, glob),
    creatorOf: (path, forTask) =>
      index.events.get(path)?.find((event) => event.makes && !index.order.isAncestor(forTask.id, event.id))?.id,
  };
}

function mayExistAfter(index: Index, task: Task | undefined, path: string): boolean {
  if (index.head.has(path) || index.head.hasFolder(path)) return true;
  const counts = (id: string): boolean => task === undefined || id === task.id || index.order.isAncestor(id, task.id);
  const writers = index.writers.get(path);
  if (writers !== undefined && (task === undefined || writers.has(task.id) || some(writers, counts))) return true;
  return (
    some(index.globs.covering(path), ({ id }) => counts(id)) ||
    some(index.globs.inside(`${path}/`), ({ id }) => counts(id))
  );
}

function mayHoldFiles(index: Index, task: Task, folder: string): boolean {
  return index.head.hasFolder(folder) || globFinds(index, task, `${folder}/**`);
}

/** What tasks certainly do decides; if that leaves no file, what they may do keeps the question open. */
function fate(index: Index, task: Task, path: string): Fate {
  const before = (index.events.get(path) ?? []).filter((event) => index.order.isAncestor(event.id, task.id));
  const settled = settle(
    index,
    path,
    before.filter((event) => event.sure),
  );
  if (settled.exists !== "no") return settled;
  const mayBeMade = before.some(
    (event) => !event.sure && (settled.by === undefined || !index.order.isAncestor(event.id, settled.by)),
  );
  return mayBeMade || madeByGlob(index, task, path) ? { exists: "maybe", by: undefined } : settled;
}

/** The last event in topological order decides, unless one of the other sort is not ordered before it. */
function settle(index: Index, path: string, events: readonly Event[]): Fate {
  let last: Event | undefined;
  for (const event of events) {
    if (last === undefined || index.order.position(event.id)! > index.order.position(last.id)!) last = event;
  }
  if (last === undefined) return { exists: index.head.hasMatch(path) ? "yes" : "no", by: undefined };
  const { id, makes } = last;
  const unordered = events.some((event) => event.makes !== makes && !index.order.isAncestor(event.id, id));
  if (unordered) return { exists: "maybe", by: undefined };
  return { exists: makes ? "yes" : "no", by: id };
}

function madeByGlob(index: Index, task: Task, path: string): boolean {
  return some(index.globs.covering(path), ({ id, makes }) => makes && index.order.isAncestor(id, task.id));
}

/** Two globs are assumed to meet if the folder of one is inside that of the other: lint must not refuse honest plans. */
function globFinds(index: Index, task: Task, glob: string): boolean {
  if (index.head.hasMatch(glob)) return true;
  const isBefore = ({ id, makes }: { readonly id: string; readonly makes: boolean }): boolean =>
    makes && index.order.isAncestor(id, task.id);
  const folder = staticPrefix(glob);
  return (
    some(index.made.matching(glob), (path) => index.events.get(path)!.some(isBefore)) ||
    some(index.globs.around(folder), isBefore) ||
    some(index.globs.inside(folder), isBefore)
  );
}

function some<T>(values: Iterable<T>, accepts: (value: T) => boolean): boolean {
  for (const value of values) if (accepts(value)) return true;
  return false;
}
