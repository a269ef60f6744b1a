import { runName } from "../../engine/run-name.ts";
import { join } from "node:path";
import { exitCodes } from "../../engine/exit-code.ts";
import { evolve } from "../../engine/evolve.ts";
import { isOver, type RunState } from "../../engine/state.ts";
import { noActivity, printedLines, readActivity } from "../../run/activity.ts";
import { driverOf } from "../../project/driver-lock.ts";
import { followRun } from "../../project/follow-run.ts";
import { runPaths } from "../../project/paths.ts";
import { hasTask, listed, type RunToRead } from "../../project/run-to-read.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";
import { readableLines } from "../../base/readable.ts";
import { visible } from "../../base/visible.ts";
import { cliLimits } from "../limits.ts";
import { printLine, refuse, refuseWith, type Io } from "../io.ts";
import { quoted, renderWithEvidence } from "../render-event.ts";
import { createTicker } from "../dialog/ticker.ts";
import { linesLookOf } from "../text-layout.ts";
import type { OutputStyle } from "../transcript/session-output.ts";
import { belongingTo, runTeller, type RunTeller } from "../transcript/tell-run.ts";
import { showRunning } from "./beats.ts";
import { logPlanning } from "./log-planning.ts";
import { openRunToRead } from "./select.ts";
import { isAtEnd } from "./watch.ts";

interface LogOptions {
  readonly run?: string;
  readonly follow?: true;
  readonly raw?: true;
  readonly json?: true;
  /** The plan whose planning session is shown; true means the latest. */
  readonly planning?: string | true;
}

/** `stint log`: shows what happened to a run or to one task, with the evidence of each verdict; of a task also what its agents said and did. */
export async function log(io: Io, task: string | undefined, options: LogOptions): Promise<number> {
  const wrong = whyOptionsClash(task, options);
  if (wrong !== undefined) return refuse(io, exitCodes.usage, wrong);
  const { planning } = options;
  if (planning !== undefined)
    return await logPlanning(io, planning, { style: styleOf(io, options), follow: options.follow === true });
  const opened = await openRunToRead(io, options.run, task);
  if (!opened.ok) return refuseWith(io, opened.failure);
  const { state, alike } = opened.value;
  if (task !== undefined && !hasTask(state, task)) {
    const known = [...state.tasks.keys()].join(", ");
    return refuse(io, exitCodes.usage, `no task ${task} in run ${runName(state)}. Its tasks: ${known}`);
  }
  if (alike.length > 0)
    io.err(`This is run ${runName(state)}. Other runs have a task ${task}, too; name one with --run: ${listed(alike)}`);
  return options.follow === true
    ? await follow(io, opened.value, { task, options })
    : showAll(io, opened.value, { task, options });
}

function whyOptionsClash(task: string | undefined, { planning, raw, json, run }: LogOptions): string | undefined {
  if (raw === true && json === true) return "--raw prints what agents wrote, --json the journal. Choose one.";
  if (planning !== undefined && (task !== undefined || run !== undefined || json === true))
    return "--planning shows a planning session, which has no tasks and no runs. Leave the rest out.";
  if (raw === true && task === undefined && planning === undefined)
    return "--raw prints the output of one task's agents. Name the task: `stint log <task> --raw`";
  return undefined;
}

/** What of a run is shown, and how. */
interface Shown {
  readonly task: string | undefined;
  readonly options: LogOptions;
}

function showAll(io: Io, { state, entries, paths, runDir }: RunToRead, { task, options }: Shown): number {
  const ofRun = runPaths(paths, state.run);
  const belongs = belongingTo(task);
  let at: RunState | undefined;
  const teller = tellerOf(io, ofRun, { task, options, state: () => at });
  for (const entry of entries) {
    at = evolve(at, entry);
    if (!belongs(entry)) continue;
    if (task !== undefined || options.json === true) teller.tell(entry);
    else for (const line of [...renderWithEvidence(entry, at), ...lastWords(entry, ofRun)]) printLine(io, line);
  }
  if (task === undefined || options.json === true) return exitCodes.done;
  teller.end();
  if (options.raw !== true) io.out(`prompts, output and verdicts: ${runDir}/attempts/${task}.*`);
  return exitCodes.done;
}

/** Follows a run until the task or the run is over, or no process drives it. */
async function follow(io: Io, { paths, state }: RunToRead, { task, options }: Shown): Promise<number> {
  const belongs = belongingTo(task);
  const ofRun = runPaths(paths, state.run);
  const isForPeople = options.json !== true && options.raw !== true;
  const ticker = createTicker(isForPeople ? io : { paint: io.paint });
  const out = (line: string) => ticker.above(() => io.out(line));
  let seen = state;
  const teller = tellerOf({ ...io, out }, ofRun, { task, options, state: () => seen });
  const activity = () => (isForPeople ? readActivity(ofRun, driverOf(paths, state.plan)) : noActivity);
  const stopShowing = showRunning(ticker, {
    state: () => seen,
    activity,
    task,
    hasSessions: io.terminal !== undefined,
  });
  const timer = setInterval(teller.readOn, cliLimits.transcriptLookMs);
  try {
    const followed = await followRun({ paths }, state, {
      after: 0,
      observe: (entry, now) => {
        seen = now ?? seen;
        if (belongs(entry)) teller.tell(entry);
      },
      isEnough: (now) => isAtEnd(now) || (task !== undefined && isEnded(now, task)),
      signal: io.signal,
    });
    teller.end();
    if (!followed.ok) return refuse(io, exitCodes.internal, followed.failure.message);
    return io.signal.aborted ? exitCodes.interrupted : exitCodes.done;
  } finally {
    clearInterval(timer);
    stopShowing();
  }
}

/** Whether no further attempt at a task starts by itself. */
function isEnded({ tasks }: RunState, id: string): boolean {
  const task = tasks.get(id);
  return task === undefined || task.phase === "blocked" || isOver(task.phase);
}

function tellerOf(
  io: Io,
  paths: ReturnType<typeof runPaths>,
  {
    task,
    options,
    state,
  }: Shown & { /** The state that the event led to. */ readonly state: () => RunState | undefined },
): RunTeller {
  const nothing = () => undefined;
  if (options.json === true) return { tell: (entry) => io.out(JSON.stringify(entry)), readOn: nothing, end: nothing };
  const tell = (entry: RunEntry) => renderWithEvidence(entry, state()).forEach((line) => printLine(io, line));
  const mark = (session: string) => (task === undefined ? `${session} | ` : "  ");
  return runTeller({ paths, mark, tell: options.raw === true ? nothing : tell, ...styleOf(io, options) });
}

/** On a terminal, what an agent wrote is not obeyed even if it is wanted as it is. */
function styleOf(io: Io, { raw }: Pick<LogOptions, "raw">): OutputStyle {
  if (raw !== true) return { print: io.out, look: linesLookOf(io) };
  return { print: io.columns === undefined ? io.out : (line) => io.out(visible(line)) };
}

/** Quotes the end of the output of a session that ended badly: its exit code alone explains nothing. */
function lastWords(entry: RunEntry, paths: ReturnType<typeof runPaths>): string[] {
  if (entry.type !== "agent-finished" || !["crashed", "timeout", "idle"].includes(entry.outcome.kind)) return [];
  const printed = printedLines(join(paths.attempt(entry), "output.log")).join("\n");
  const lines = readableLines(printed).filter((line) => line.trim() !== "");
  return quoted(lines.slice(-cliLimits.checkLinesShownMax));
}
