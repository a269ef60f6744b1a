/** What the graph needs to know about a task; ids in `depends` that no task has are ignored. */
export interface Node {
  readonly id: string;
  readonly depends: readonly string[];
}

/** Answers "must a be integrated before b?" in constant time, for plans with thousands of tasks. */
export interface Ancestry {
  /** Position in topological order; undefined for a task in or behind a cycle, whose ancestors are not known. */
  readonly position: (id: string) => number | undefined;
  readonly isAncestor: (ancestor: string, of: string) => boolean;
}

/** Finds tasks that wait for each other, as ids in order of `depends` with the first repeated at the end. */
export function findCycle(tasks: readonly Node[]): string[] | undefined {
  return walk(tasks).cycle;
}

/** Puts dependencies first and otherwise keeps plan order; tasks in or behind a cycle are left out because they can never start. */
export function topologicalOrder(tasks: readonly Node[]): string[] {
  return walk(tasks).order;
}

/** Finds everything a task waits for, directly or not. */
export function ancestors(tasks: readonly Node[], id: string): ReadonlySet<string> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const found = new Set<string>();
  const open = [...(byId.get(id)?.depends ?? [])];
  while (open.length > 0) {
    const next = open.pop()!;
    const task = byId.get(next);
    if (task === undefined || found.has(next)) continue;
    found.add(next);
    for (const dependency of task.depends) open.push(dependency);
  }
  return found;
}

/** Lists a task and everything it waits for, in plan order. */
export function withAncestors(tasks: readonly Node[], id: string): string[] {
  const before = ancestors(tasks, id);
  return tasks.map((task) => task.id).filter((other) => other === id || before.has(other));
}

/** Adds up the longest path from each task to the end, itself included: the scheduler starts the largest first. */
export function remainingPath(
  tasks: readonly Node[],
  weights: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const after = new Map<string, number>();
  const remaining = new Map<string, number>();
  for (const id of topologicalOrder(tasks).toReversed()) {
    const total = (weights.get(id) ?? 0) + (after.get(id) ?? 0);
    remaining.set(id, total);
    for (const dependency of byId.get(id)!.depends) {
      after.set(dependency, Math.max(after.get(dependency) ?? 0, total));
    }
  }
  return remaining;
}

/** Keeps one bit per pair of tasks: 12 MB for 10,000 tasks, where sets of ids would take minutes to build. */
export function ancestry(tasks: readonly Node[]): Ancestry {
  const order = topologicalOrder(tasks);
  const positions = new Map(order.map((id, index) => [id, index]));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const rows: Uint32Array[] = [];
  for (const [index, id] of order.entries()) {
    const row = new Uint32Array((index >>> 5) + 1);
    for (const dependency of byId.get(id)!.depends) addAncestors(row, rows, positions.get(dependency));
    rows.push(row);
  }
  return {
    position: (id) => positions.get(id),
    isAncestor: (ancestor, of) => {
      const [bit, row] = [positions.get(ancestor), rows[positions.get(of) ?? -1]];
      return bit !== undefined && row !== undefined && (((row[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1;
    },
  };
}

function addAncestors(row: Uint32Array, rows: readonly Uint32Array[], dependency: number | undefined): void {
  if (dependency === undefined) return;
  const source = rows[dependency]!;
  for (let word = 0; word < source.length; word += 1) row[word]! |= source[word]!;
  row[dependency >>> 5]! |= 1 << (dependency & 31);
}

interface Frame {
  readonly node: Node;
  next: number;
  tainted: boolean;
}

/** `tainted` is a finished task in or behind a cycle. */
interface Walk {
  readonly byId: ReadonlyMap<string, Node>;
  readonly marks: Map<string, "open" | "done" | "tainted">;
  readonly stack: Frame[];
  readonly order: string[];
  cycle: string[] | undefined;
}

/** Walks depth first with its own stack, because a chain of 10,000 tasks would overflow the one of the language. */
function walk(tasks: readonly Node[]): Walk {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const state: Walk = { byId, marks: new Map(), stack: [], order: [], cycle: undefined };
  for (const root of byId.values()) {
    if (!state.marks.has(root.id)) enter(state, root);
    for (let frame = state.stack.at(-1); frame !== undefined; frame = state.stack.at(-1)) step(state, frame);
  }
  return state;
}

function enter(state: Walk, node: Node): void {
  state.marks.set(node.id, "open");
  state.stack.push({ node, next: 0, tainted: false });
}

function step(state: Walk, frame: Frame): void {
  if (frame.next === frame.node.depends.length) {
    leave(state, frame);
    return;
  }
  const dependency = state.byId.get(frame.node.depends[frame.next]!);
  const mark = dependency && state.marks.get(dependency.id);
  if (dependency !== undefined && mark === undefined) {
    enter(state, dependency);
    return;
  }
  frame.next += 1;
  if (mark === "tainted" || mark === "open") frame.tainted = true;
  if (mark === "open") state.cycle ??= closeCycle(state.stack, dependency!.id);
}

function leave(state: Walk, frame: Frame): void {
  state.stack.pop();
  state.marks.set(frame.node.id, frame.tainted ? "tainted" : "done");
  if (!frame.tainted) state.order.push(frame.node.id);
}

function closeCycle(stack: readonly Frame[], id: string): string[] {
  const ids = stack.map((frame) => frame.node.id);
  return [...ids.slice(ids.indexOf(id)), id];
}
