import type { RunState } from "../../engine/state.ts";
import type { Activity, CommandActivity, Printed } from "../../run/activity.ts";
import type { Ticker } from "../dialog/ticker.ts";
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

/** What of a run in another process is shown. */
interface Elsewhere {
  readonly state: () => RunState;
  readonly activity: () => Activity;
  /** Only its commands are shown; absent means those of all tasks. */
  readonly task?: string | undefined;
  /** Whether an agent at work is shown, too: where lines are printed, that would be one every half minute for an hour. */
  readonly hasSessions: boolean;
}

/** Shows what has run longest in a run of another process, a check or set-up before a session; returns what ends that. */
export function showRunning(ticker: Ticker, { state, activity, task, hasSessions }: Elsewhere): () => void {
  let [current, latest]: [string | null | undefined, Printed] = [undefined, nothing];
  const look = () => {
    const isMeant = (one: { readonly task: string | null }) => task === undefined || one.task === task;
    const { commands, sessions } = activity();
    const [command, session] = [commands.find(isMeant), hasSessions ? sessions.find(isMeant) : undefined];
    const key = command === undefined ? session?.task : keyOf(command);
    // What a session says is in its transcript.
    latest = command === undefined ? nothing : { line: command.line, mark: command.mark };
    if (key === current) return;
    current = key;
    if (command !== undefined) {
      const since = performance.now() - Math.max(0, Date.now() - command.since);
      ticker.set(command.name, { about: aboutOf(state(), command.task), last: () => latest, since });
    } else ticker.set(session === undefined ? null : aboutOf(state(), session.task));
  };
  const timer = setInterval(look, cliLimits.tickMs).unref();
  return () => {
    clearInterval(timer);
    ticker.set(null);
  };
}

const nothing: Printed = { line: "", mark: null };

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
  return [
    ...commands.map((command) => ({
      ...command,
      key: keyOf(command),
      everyMs: cliLimits.beatMs,
      about: aboutOf(state, command.task),
    })),
    ...sessions.map(({ task, line }) => ({
      key: JSON.stringify([task, state.tasks.get(task ?? "")?.attempts]),
      everyMs: cliLimits.sessionBeatMs,
      name: aboutOf(state, task),
      line,
      mark: null,
    })),
  ];
}

function keyOf({ task, name, since }: CommandActivity): string {
  return JSON.stringify([task, name, since]);
}

/** Says what is done for a task, or for the whole plan: "verifying 03-x". */
function aboutOf({ tasks, replanning }: RunState, id: string | null): string {
  const task = id === null ? undefined : tasks.get(id);
  if (task !== undefined) return `${phases[task.phase] ?? task.phase} ${id}`;
  return replanning.open === null ? "verifying the final tip" : `planning revision ${replanning.open.revision}`;
}
