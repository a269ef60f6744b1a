import { deserialize, serialize } from "node:v8";
import { lazily } from "../base/lazily.ts";
import { Meetings } from "../engine/meetings.ts";
import { Ranked } from "../engine/ranked.ts";
import { isOver, type RunState, type TaskState } from "../engine/state.ts";

/**
 * The state of a run as bytes. Making the objects of ten thousand tasks takes longer than starting Node, so only what
 * every look at a run reads is at hand; the rest stays bytes until it is asked for.
 */
export interface FrozenState {
  readonly near: Omit<RunState, "tasks" | "ready" | "meetings" | "dependants" | "landed" | "proven">;
  /** The fields that grow with the run and that few readers need. */
  readonly far: Uint8Array;
  /** The fields of tasks that every look reads, as JSON, which is parsed faster than anything else. */
  readonly shown: string;
  /** All fields of each task and its spec, one after another, and where each ends. */
  readonly rest: Uint8Array;
  readonly ends: Uint32Array;
}

/** Puts each field into a list of its own: that is made much faster than an object for each task. */
function columns(tasks: readonly TaskState[]) {
  return {
    id: tasks.map(({ spec }) => spec.id),
    title: tasks.map(({ spec }) => spec.title),
    /** Who waits for what; nobody asks that of a task that is over. */
    depends: tasks.map(({ spec, phase }) => (isOver(phase) ? null : spec.depends)),
    phase: tasks.map(({ phase }) => phase),
    attempts: tasks.map(({ attempts }) => attempts),
    uncounted: tasks.map(({ uncounted }) => uncounted),
    commit: tasks.map(({ commit }) => commit),
    byHand: tasks.map(({ byHand }) => byHand),
    usage: tasks.map(({ usage }) => usage),
  };
}

export function freeze(state: RunState): FrozenState {
  const { tasks: byId, ready, meetings: _remade, dependants, landed, proven, ...near } = state;
  const tasks = [...byId.values()];
  const order = tasks.toSorted((a, b) => a.rank - b.rank).map(({ spec }) => spec.id);
  const rest = tasks.map(({ spec, ...task }) => serialize({ spec: { ...spec }, task }));
  let end = 0;
  return {
    near,
    far: serialize({ order, ready: [...ready], dependants, landed, proven }),
    shown: JSON.stringify(columns(tasks)),
    rest: Buffer.concat(rest),
    ends: Uint32Array.from(rest, ({ byteLength }) => (end += byteLength)),
  };
}

/** Makes the state that was frozen: whoever reads or evolves it finds no difference. */
export function thaw({ near, far, rest, ends, ...frozen }: FrozenState): RunState {
  const shown: ReturnType<typeof columns> = JSON.parse(frozen.shown);
  const tasks = new Map<string, TaskState>();
  const restOf = (at: number) => deserialize(rest.subarray(ends[at - 1] ?? 0, ends[at]));
  const restOfSpec = (at: number) => restOf(at).spec;
  const restOfTask = (at: number) => restOf(at).task;
  for (let at = 0; at < ends.length; at += 1) {
    const id = shown.id[at]!;
    const title = shown.title[at]!;
    const depends = shown.depends[at] ?? undefined;
    const spec = depends === undefined ? { id, title } : { id, title, depends };
    const nearOfTask = {
      spec: lazily<TaskState["spec"]>(spec, restOfSpec, at),
      phase: shown.phase[at]!,
      attempts: shown.attempts[at]!,
      uncounted: shown.uncounted[at]!,
      commit: shown.commit[at]!,
      byHand: shown.byHand[at]!,
      usage: shown.usage[at]!,
    };
    tasks.set(id, lazily<TaskState>(nearOfTask, restOfTask, at));
  }
  return lazily<RunState>({ ...near, tasks }, () => {
    const { order, ready, ...others } = deserialize(far);
    return { ...others, ready: new Ranked(order, ready), meetings: new Meetings(tasks) };
  });
}
