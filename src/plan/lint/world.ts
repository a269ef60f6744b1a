import { ancestry, type Ancestry } from "../graph.ts";
import { isGlob, matcher, staticPrefix, type Matcher } from "../paths.ts";
import { sortedPaths, type SortedPaths } from "../sorted-paths.ts";
import type { Task } from "../types.ts";

/** What will exist when a task starts, according to the plan: HEAD, and what its dependencies create and delete. */
export interface World {
  /** Whether everything the task waits for is known; false in or behind a cycle, which is reported as such. */
  readonly isOrdered: (task: Task) => boolean;
  readonly isUncommitted: (pattern: string) => boolean;
  readonly existsAtHead: (path: string) => boolean;
  /** No task means the end of the plan. */
  readonly mayExistAfter: (task: Task | undefined, path: string) => boolean;
  /** Whether there may be such a file or folder when the task starts. */
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

/** A task that creates or deletes a path it names literally; `sure` is false for the short form, which only allows it. */
interface Event {
  readonly id: string;
  readonly makes: boolean;
  readonly sure: boolean;
}

/** Which files HEAD has, and which tasks create, delete and write what. */
interface Index {
  readonly head: SortedPaths;
  readonly order: Ancestry;
  readonly events: ReadonlyMap<string, readonly Event[]>;
  readonly made: SortedPaths;
  /** Tasks that may write a path or something inside it, by path. */
  readonly writers: ReadonlyMap<string, ReadonlySet<string>>;
  readonly globs: GlobIndex;
}

/** A glob in `files` of a task; `makes` is false under modify, which cannot create a file. */
interface GlobEntry {
  readonly id: string;
  readonly makes: boolean;
  /** What every match starts with; it often saves trying the expression. */
  readonly stem: string;
  readonly folder: string;
  readonly matches: Matcher;
}

/** The globs of a plan by folder, so that a path meets only those that can cover it. */
interface GlobIndex {
  readonly covering: (path: string) => Iterable<GlobEntry>;
  /** Those whose matches all lie in this folder, which is written with its slash. */
  readonly inside: (folder: string) => Iterable<GlobEntry>;
  /** Those whose folder contains this one, or is it. */
  readonly around: (folder: string) => Iterable<GlobEntry>;
}

/** Indexes the plan once, so that each question costs little even with 10,000 tasks. */
export function foresee(tasks: readonly Task[], head: ReadonlySet<string>, uncommitted: ReadonlySet<string>): World {
  const index = indexPlan(tasks, head);
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

/** Reads the files of all tasks once; self-dependencies are reported elsewhere and must not count as cycles here. */
function indexPlan(tasks: readonly Task[], head: ReadonlySet<string>): Index {
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
  return { head: sortedPaths(head), order, events, writers, made: sortedPaths(made), globs: indexGlobs(tasks) };
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

/** Later tasks come first, because what a task uses was mostly created just before it. */
function indexGlobs(tasks: readonly Task[]): GlobIndex {
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
