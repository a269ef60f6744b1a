import { runName } from "../../engine/run-name.ts";
import { randomUUID } from "node:crypto";
import { evolve } from "../../engine/evolve.ts";
import type { RunState } from "../../engine/state.ts";
import { commandFiles } from "../../run/commands/command-files.ts";
import type { runPaths } from "../../project/paths.ts";
import type { OpenedRun } from "../../run/opened-run.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";
import { realFiles } from "../../journal/file-port.ts";
import { readFrom } from "../../journal/follow.ts";
import { journalStart, type Cursor } from "../../journal/scan.ts";
import { cliLimits } from "../limits.ts";
import { warn, type Io } from "../io.ts";
import { linesLookOf } from "../text-layout.ts";
import { messageOf } from "../../base/result.ts";
import { addEvent, emptyHistory } from "./history.ts";
import { belongingTo, runTeller } from "../transcript/tell-run.ts";
import type { Drawing } from "./drawing.ts";
import { eventLines, type TaskLog } from "./log-page.ts";
import type { Subject } from "./pages.ts";
import { openView, type View } from "./view.ts";

type RunPaths = ReturnType<typeof runPaths>;

/** A run in progress, shown as a view or as lines. */
export interface ShownRun {
  readonly isView: () => boolean;
  /** What is printed meanwhile waits until the view is closed. */
  readonly io: Io;
  /** Gives the terminal back and prints what came up meanwhile. */
  readonly close: () => void;
}

/** Shows a run that this process drives; without a terminal, or once a person has left the view, as lines. */
export function showRun(io: Io, opened: OpenedRun, { json, verbose }: ShowOptions): ShownRun {
  const { terminal } = io;
  if (verbose === true && json !== true) return showTranscripts(io, opened);
  if (terminal === undefined || terminal.isLeft || json === true)
    return { io, isView: () => false, close: () => undefined };
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
    io.err(`The run continues, printed as lines. For the view: \`stint status --watch ${runName(run.state)}\``);
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
  return { io: { ...io, err }, isView: () => isShown, close };
}

/** How a run is shown. */
interface ShowOptions {
  readonly json?: true;
  readonly verbose?: true;
}

/** Prints what agents say and do among the events, each line with the task that it belongs to. */
function showTranscripts(io: Io, { audience, paths, run }: OpenedRun): ShownRun {
  const { observe } = audience;
  const teller = runTeller({
    paths,
    tell: (entry) => observe(entry, run.state),
    print: io.out,
    mark: (session) => `${session} | `,
    look: linesLookOf(io),
  });
  audience.observe = teller.tell;
  // Transcripts have it already.
  audience.hear = undefined;
  const timer = setInterval(teller.readOn, cliLimits.transcriptLookMs).unref();
  return {
    io,
    isView: () => false,
    close: () => {
      clearInterval(timer);
      teller.end();
      audience.observe = observe;
    },
  };
}

function ownSubject({ run, activity, paths, branchProblem }: OpenedRun, record: Subject["record"]): Subject {
  const { state, epoch, pid } = run;
  return {
    state: () => state,
    record,
    activity: activity.now,
    driver: () => pid,
    branchProblem,
    isOwn: true,
    log: (task, drawing) => openLog(paths, state, { task, ...drawing }),
    // Written as a file, like a command from any terminal: this process takes it at once, and if it dies first, nothing else does.
    command: async (kind) => {
      const written = commandFiles(paths.commands).write({ v: 1, id: randomUUID(), run: state.run, epoch, kind });
      return written.ok ? undefined : written.failure.message;
    },
  };
}

/** Opens the log of a task; a journal may be long, so it is read once, and only the end of each session. */
export function openLog(
  paths: RunPaths,
  { tasks }: RunState,
  { task, size, paint }: Pick<Drawing, "size" | "paint"> & { readonly task: string },
): TaskLog {
  const lines: string[] = [];
  const print = (line: string) => {
    if (lines.push(line) > cliLimits.viewLogLinesMax) lines.shift();
  };
  let seen: RunState | undefined;
  const teller = runTeller({
    paths,
    tell: (entry) => eventLines(entry, { size, paint }, seen).forEach(print),
    print,
    mark: () => "  ",
    look: { width: size.columns, paint, isUnicode: true },
    tailBytes: cliLimits.viewLogTailBytes,
  });
  const belongs = belongingTo(task);
  let cursor = journalStart;
  return {
    task,
    title: tasks.get(task)?.spec.title ?? "",
    lines,
    readOn: () => {
      const read = readEntries(paths, cursor);
      ({ cursor } = read);
      for (const entry of read.entries) {
        seen = evolve(seen, entry);
        if (belongs(entry)) teller.tell(entry);
      }
      teller.readOn();
    },
  };
}

/** Reads the journal of a run, or what is new in it. */
export function readEntries({ journal }: RunPaths, from: Cursor = journalStart) {
  const read = readFrom(realFiles, journal, from);
  if (!read.ok) throw new Error(read.failure.message);
  return { entries: read.value.entries as readonly RunEntry[], cursor: read.value.cursor };
}
