import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { RunState } from "../../engine/state.ts";
import { commandFiles } from "../../run/commands/command-files.ts";
import type { runPaths } from "../../project/paths.ts";
import type { OpenedRun } from "../../run/opened-run.ts";
import { readTail } from "../../run/activity.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";
import { realFiles } from "../../journal/file-port.ts";
import { readFrom } from "../../journal/follow.ts";
import { journalStart, type Cursor } from "../../journal/scan.ts";
import { cliLimits } from "../limits.ts";
import { warn, type Io } from "../io.ts";
import { messageOf } from "../../base/result.ts";
import { addEvent, emptyHistory } from "./history.ts";
import type { TaskLog } from "./log-page.ts";
import type { Subject } from "./pages.ts";
import { openView, type View } from "./view.ts";

type RunPaths = ReturnType<typeof runPaths>;

/** A run in progress, shown as a view or as lines. */
export interface ShownRun {
  /** What is printed meanwhile waits until the view is closed. */
  readonly io: Io;
  /** Gives the terminal back and prints what came up meanwhile. */
  readonly close: () => void;
}

/** Shows a run that this process drives; without a terminal, or once a person has left the view, as lines. */
export function showRun(io: Io, opened: OpenedRun, { json }: { readonly json?: true }): ShownRun {
  const { terminal } = io;
  if (terminal === undefined || terminal.isLeft || json === true) return { io, close: () => undefined };
  const { audience, paths, run } = opened;
  const lines = { ...audience };
  const warnings: string[] = [];
  let view: View | undefined;
  let isShown = true;
  const close = () => {
    isShown = false;
    view?.close();
    Object.assign(audience, lines);
    for (const line of warnings.splice(0)) io.err(line);
  };
  const left = (failure?: unknown) => {
    terminal.isLeft = true;
    close();
    if (failure !== undefined) warn(io, `the view failed: ${messageOf(failure)}`);
    io.err(`The run continues, printed as lines. For the view: \`stint status --watch ${run.state.run}\``);
  };
  const err = (line: string) => {
    if (!isShown) return io.err(line);
    if (warnings.push(line) > cliLimits.viewWarningsMax) warnings.shift();
    view?.warn(line);
  };
  const record = emptyHistory();
  audience.hear = undefined;
  audience.warn = (message) => warn({ ...io, err }, message);
  audience.observe = (entry) => {
    addEvent(record, entry);
    view?.happened();
  };
  try {
    for (const entry of readEntries(paths).entries) addEvent(record, entry);
    view = openView(ownSubject(opened, record), { terminal, paint: io.paint, signal: io.signal, left });
  } catch (failure) {
    left(failure);
  }
  return { io: { ...io, err }, close };
}

function ownSubject({ run, activity, paths }: OpenedRun, record: Subject["record"]): Subject {
  const { state, epoch, pid } = run;
  return {
    state: () => state,
    record,
    sessions: activity.sessions,
    driver: () => pid,
    isOwn: true,
    log: (task, before) => readLog(paths, state, { task, before }),
    // Written as a file, like a command from any terminal: this process takes it at once, and if it dies first, nothing else does.
    command: async (kind) => {
      const written = commandFiles(paths.commands).write({ v: 1, id: randomUUID(), run: state.run, epoch, kind });
      return written.ok ? undefined : written.failure.message;
    },
  };
}

/** Reads what the journal and the latest attempt's folder say about a task; a journal may be long, so it is read once. */
export function readLog(
  paths: RunPaths,
  { tasks }: RunState,
  { task: id, before }: { readonly task: string; readonly before: TaskLog | undefined },
): TaskLog {
  const task = tasks.get(id);
  const attempt = task?.attempts ?? 0;
  const { entries, cursor } = readEntries(paths, before?.cursor);
  const own = entries.filter((entry) => "task" in entry && entry.task === id);
  const output = readTail(join(paths.attempt({ task: id, attempt }), "output.log"), cliLimits.viewLogTailBytes);
  const all = [...(before?.entries ?? []), ...own];
  return { task: id, title: task?.spec.title ?? "", entries: all, cursor, output: { attempt, ...output } };
}

function readEntries({ journal }: RunPaths, from: Cursor = journalStart) {
  const read = readFrom(realFiles, journal, from);
  if (!read.ok) throw new Error(read.failure.message);
  return { entries: read.value.entries as readonly RunEntry[], cursor: read.value.cursor };
}
