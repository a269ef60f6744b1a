import type { RunState } from "../../engine/state.ts";
import type { Activity } from "../../run/activity.ts";
import { cliLimits } from "../limits.ts";
import { phases } from "../live-view/rows.ts";
import { runningText, type Running } from "../render-running.ts";

/** Prints a line now and then about everything that takes long, while a run is shown as lines; returns what ends that. */
export function tellRunning(
  tell: (line: string) => void,
  { state, activity }: { readonly state: RunState; readonly activity: () => Activity },
): () => void {
  const beats = beatsOf(state);
  const look = () => {
    const now = Date.now();
    for (const line of beats(activity(), now)) tell(`${new Date(now).toTimeString().slice(0, 8)}  ${line}`);
  };
  const timer = setInterval(look, cliLimits.tickMs).unref();
  return () => clearInterval(timer);
}

/** Returns the lines that are due at a time; it remembers what it has said. */
export function beatsOf(state: RunState): (activity: Activity, now: number) => string[] {
  let known: ReadonlyMap<string, { readonly since: number; readonly due: number }> = new Map();
  return (activity, now) => {
    const all = runningIn(state, activity);
    const before = known;
    const beat = ({ key, everyMs, since = now }: Beat) => {
      const { since: began, due } = before.get(key) ?? { since, due: since + everyMs };
      return { since: began, due: now < due ? due : now + everyMs, isDue: now >= due };
    };
    const next = all.map((one) => ({ one, at: beat(one) }));
    known = new Map(next.map(({ one, at }) => [one.key, at]));
    return next.flatMap(({ one, at }) => (at.isDue ? [runningText({ ...one, ms: now - at.since })] : []));
  };
}

interface Beat extends Omit<Running, "ms"> {
  readonly key: string;
  readonly everyMs: number;
  readonly since?: number;
}

function runningIn(state: RunState, { sessions, commands }: Activity): Beat[] {
  const planning =
    state.replanning.open === null ? "verifying the final tip" : `planning revision ${state.replanning.open.revision}`;
  const about = (id: string | null) => {
    const task = id === null ? undefined : state.tasks.get(id);
    return task === undefined ? planning : `${phases[task.phase] ?? task.phase} ${id}`;
  };
  return [
    ...commands.map(({ task, name, since, line, mark }) => ({
      key: JSON.stringify([task, name, since]),
      everyMs: cliLimits.beatMs,
      since,
      about: about(task),
      name,
      line,
      mark,
    })),
    ...sessions.map(({ task, line }) => ({
      key: JSON.stringify([task, state.tasks.get(task ?? "")?.attempts]),
      everyMs: cliLimits.sessionBeatMs,
      name: about(task),
      line,
      mark: null,
    })),
  ];
}
