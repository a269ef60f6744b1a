import { runName } from "../../engine/run-name.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import { isUnpushed, publishDue } from "../../engine/push.ts";
import type { RunState } from "../../engine/state.ts";
import { readActivity } from "../../run/activity.ts";
import { addressOf, sendCommand } from "../../run/commands/send-command.ts";
import { driverOf } from "../../project/driver-lock.ts";
import { followRun } from "../../project/follow-run.ts";
import { runPaths } from "../../project/paths.ts";
import { openProject } from "../../project/project.ts";
import type { RunToRead } from "../../project/run-to-read.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";
import { visible } from "../../base/visible.ts";
import { printLine, refuse, type Io } from "../io.ts";
import { messageOf } from "../../base/result.ts";
import { renderEvent } from "../render-event.ts";
import type { Terminal } from "../terminal.ts";
import { showRunning } from "./beats.ts";
import { addEvent, emptyHistory } from "../live-view/history.ts";
import type { Subject } from "../live-view/pages.ts";
import { createTicker } from "../dialog/ticker.ts";
import { openLog } from "../live-view/show-run.ts";
import { openView } from "../live-view/view.ts";

/** `stint status --watch`: follows a run, whichever process drives it, and changes nothing. */
export async function watch(io: Io, opened: RunToRead, options: { readonly json?: true }): Promise<WatchEnd> {
  const { terminal } = io;
  return terminal === undefined || options.json === true
    ? await watchLines(io, opened, options)
    : await watchView(io, opened, terminal);
}

/** How a watch ended: with an exit code, and with the state to print if the run ended. */
export interface WatchEnd {
  readonly code: number;
  readonly state: RunState | undefined;
}

const left: WatchEnd = { code: exitCodes.done, state: undefined };

async function watchLines(io: Io, { paths, state }: RunToRead, { json }: { readonly json?: true }): Promise<WatchEnd> {
  const observe = (entry: RunEntry, now: RunState | undefined) =>
    json === true ? io.out(JSON.stringify(entry)) : printLine(io, renderEvent(entry, now));
  const activity = () => readActivity(runPaths(paths, state.run), driverOf(paths, state.plan));
  let seen = state;
  const isEnough = (now: RunState) => {
    seen = now;
    return isAtEnd(now);
  };
  const stopShowing =
    json === true
      ? () => undefined
      : showRunning(createTicker(io), { state: () => seen, activity, hasSessions: false });
  const following = followRun({ paths }, state, { after: 0, observe, isEnough, signal: io.signal });
  const followed = await following.finally(stopShowing);
  if (!followed.ok) return refused(io, followed.failure.message);
  return json === true || io.signal.aborted ? left : { code: exitCodes.done, state: followed.value };
}

async function watchView(io: Io, opened: RunToRead, terminal: Terminal): Promise<WatchEnd> {
  const { paths, entries } = opened;
  const record = emptyHistory();
  for (const entry of entries) addEvent(record, entry);
  let { state } = opened;
  const leaving = new AbortController();
  let failure: unknown;
  const view = openView(subjectOf(io, opened, { record, state: () => state }), {
    terminal,
    paint: io.paint,
    signal: io.signal,
    left: (why) => {
      failure = why;
      leaving.abort();
    },
  });
  try {
    const followed = await followRun({ paths }, state, {
      after: entries.at(-1)?.seq ?? 0,
      observe: (entry) => {
        addEvent(record, entry);
        view.happened();
      },
      isEnough: (now) => {
        state = now;
        return isAtEnd(now);
      },
      signal: AbortSignal.any([io.signal, leaving.signal]),
      waitAlone: true,
    });
    view.close();
    if (!followed.ok) return refused(io, followed.failure.message);
    if (failure !== undefined) return refused(io, `the view failed: ${messageOf(failure)}`);
    return io.signal.aborted || leaving.signal.aborted ? left : { code: exitCodes.done, state };
  } finally {
    view.close();
  }
}

/** Whether a run is finished and shared as far as requested: a driver that is still there has nothing more to do. */
export function isAtEnd(state: RunState): boolean {
  return state.finished !== null && !publishDue(state) && !isUnpushed(state);
}

function subjectOf(
  io: Io,
  { paths, state: { run, plan } }: RunToRead,
  { record, state }: Pick<Subject, "record" | "state">,
): Subject {
  const ofRun = runPaths(paths, run);
  const driver = () => driverOf(paths, plan);
  return {
    state,
    record,
    driver,
    isOwn: false,
    activity: () => readActivity(ofRun, driver()),
    log: (task, drawing) => openLog(ofRun, state(), { task, ...drawing }),
    command: async (kind) => {
      if (driver() === null) return `Not running. Resume it: \`stint resume ${runName(state())}\``;
      const project = await openProject(io.cwd, io.env);
      if (!project.ok) return project.failure.message;
      const sent = await sendCommand(addressOf(project.value, state()), { request: { kind }, signal: io.signal });
      return sent.kind === "accepted" ? undefined : sent.why;
    },
  };
}

function refused(io: Io, message: string): WatchEnd {
  return { code: refuse(io, exitCodes.internal, visible(message)), state: undefined };
}
