import { renameSync, rmSync, writeFileSync, closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import * as z from "zod";
import type { AgentEvent } from "../agents/driver-kit/agent.ts";
import type { Spending, AttemptKey } from "../engine/session.ts";
import type { RunState } from "../engine/state.ts";
import { progressMark } from "../checks/progress-mark.ts";
import type { CommandWatch, RunningCommand } from "../checks/running-command.ts";
import { runLimits } from "./limits.ts";
import { readableLines } from "../base/readable.ts";
import { shortened } from "../base/visible.ts";
import { unreachable } from "../base/result.ts";
import type { RedactingStream, Redactor } from "../base/redact.ts";
import type { runPaths } from "../project/paths.ts";
import { ofPlan, type LiveSessions } from "../agents/live-spending.ts";
import type { Listener } from "../agents/real-sessions.ts";

type RunPaths = ReturnType<typeof runPaths>;

/** One running session: what its agent said or did last, and what it has used. */
export interface SessionActivity extends Spending {
  /** Null for a judge of the whole plan. */
  readonly task: string | null;
  /** The agent's own words, with secrets struck out; empty where nothing is known. */
  readonly line: string;
}

/** One running command: a check, or set-up. */
export interface CommandActivity extends Printed {
  /** Null for one about the whole plan. */
  readonly task: string | null;
  /** The command as people know it. */
  readonly name: string;
  /** When it started, in milliseconds since 1970. */
  readonly since: number;
}

/** What a command or session has printed last. */
export interface Printed {
  readonly line: string;
  /** How far it says it is; null where it does not. */
  readonly mark: string | null;
}

/** What a run is doing now. */
export interface Activity {
  readonly sessions: readonly SessionActivity[];
  readonly commands: readonly CommandActivity[];
}

/** What agents, checks and set-up are doing, for people who watch. Nothing is decided by it. */
export interface ActivityBoard {
  readonly hear: Listener;
  /** Hears the planner of a revision, and where its session prints. */
  readonly planner: PlannerEar;
  readonly watch: CommandWatch;
  readonly now: () => Activity;
  /** Ends the notes for other processes. */
  readonly close: () => void;
}

/** Hears the sessions of a planner. */
export interface PlannerEar {
  readonly hear: (event: AgentEvent) => void;
  /** Is called when a session starts, with what it does in a word. */
  readonly begins: (phase: string, logFile: string) => void;
}

/** The run whose sessions are followed. */
export interface BoardOptions {
  readonly state: RunState;
  readonly live: LiveSessions;
  readonly paths: RunPaths;
  readonly redact: Redactor;
}

/** Follows the sessions of a run and notes them, about once a second, in `activity.json` for other processes. */
export function openActivityBoard({ state, live, paths, redact }: BoardOptions): ActivityBoard {
  const heard = new Map<string, Heard>();
  const running = new Set<RunningCommand & Pick<CommandActivity, "since">>();
  let planner: { readonly phase: string; readonly logFile: string } | undefined;
  const sessions = () =>
    [...live].map(([of, { spending }]) => {
      const line = heard.get(of)?.line ?? "";
      const isPlanner = of === ofPlan && state.replanning.open !== null && planner !== undefined;
      const words = isPlanner ? [planner!.phase, line].filter(Boolean).join(": ") : line;
      return { task: of === ofPlan ? null : of, line: words, ...spending };
    });
  const commands = () =>
    [...running].map(({ name, since, logFile }) => ({ task: taskAt(logFile), name, since, ...printedLast(logFile) }));
  const taskAt = (logFile: string) => {
    const [, task = ""] = /^attempts\/([^/.]+)\.\d+\//.exec(relative(paths.dir, logFile)) ?? [];
    return state.tasks.has(task) ? task : null;
  };
  const now = () => ({ sessions: sessions(), commands: commands() });
  const logOf = (of: string) =>
    of === ofPlan && state.replanning.open !== null
      ? planner?.logFile
      : join(paths.attempt(keyOf(state, of)), "output.log");
  const hearOf = (of: string, event: AgentEvent) => {
    const next = listen(heard.get(of), event, redact);
    if (next !== undefined) heard.set(of, next);
  };
  const look = () => {
    for (const of of heard.keys()) if (!live.has(of)) heard.delete(of);
    for (const of of live.keys()) {
      const ear = heard.get(of);
      // An agent of which no word is understood still prints.
      if (ear?.isReported === true) continue;
      const logFile = logOf(of);
      heard.set(of, { isReported: false, line: logFile === undefined ? "" : printedLast(logFile).line });
    }
    return now();
  };
  const note = noteIn(paths);
  const timer = setInterval(() => note.write(look()), runLimits.activityNoteMs).unref();
  return {
    hear: (key, event) => hearOf(key.judge !== undefined && key.attempt === 0 ? ofPlan : key.task, event),
    planner: {
      hear: (event) => hearOf(ofPlan, event),
      begins: (phase, logFile) => {
        planner = { phase, logFile };
        heard.delete(ofPlan);
      },
    },
    watch: (command) => {
      const one = { ...command, since: Date.now() };
      running.add(one);
      return () => running.delete(one);
    },
    now,
    close: () => {
      clearInterval(timer);
      note.remove();
    },
  };
}

/** What one session has said so far. */
interface Heard {
  readonly line: string;
  /** True where the agent reported it as an event, not only as output. */
  readonly isReported: boolean;
  /** The text so far: agents send it in pieces, and a secret may span two of them. */
  readonly text?: { readonly stream: RedactingStream; readonly end: string };
}

/** Follows what one session says or, where no word of it is understood, prints. */
export function openEar(redact: Redactor, logFile: string) {
  let heard: Heard | undefined;
  return {
    hear: (event: AgentEvent) => void (heard = listen(heard, event, redact) ?? heard),
    last: (): Printed => (heard === undefined ? printedLast(logFile) : { line: heard.line, mark: null }),
  };
}

function listen(before: Heard | undefined, event: AgentEvent, redact: Redactor): Heard | undefined {
  if (event.type === "usage") return undefined;
  if (event.type !== "text") return { isReported: true, line: lastLine(redact.text(wordsOf(event))) };
  const stream = before?.text?.stream ?? redact.stream();
  const more = stream.write(Buffer.from(event.text)).toString();
  const end = `${before?.text?.end ?? ""}${more}`.slice(-runLimits.activityLineCharsMax);
  return { isReported: true, line: lastLine(end) || (before?.line ?? ""), text: { stream, end } };
}

function wordsOf(event: Exclude<AgentEvent, { type: "text" | "usage" }>): string {
  switch (event.type) {
    case "tool":
      return `${event.name} ${event.detail.split("\n", 1)[0]}`;
    case "file":
      return `${changes[event.change]} ${event.path}`;
    case "retry":
      return `tries again${event.delayMs === null ? "" : ` in ${Math.round(event.delayMs / 1000)} s`}: ${event.why}`;
    case "notice":
      return event.text;
    default:
      return unreachable(event);
  }
}

const changes = { add: "made", modify: "changed", delete: "deleted" } as const;

/** Returns the last line that says something. */
function lastLine(text: string): string {
  const last = readableLines(text).findLast((line) => line.trim() !== "");
  return shortened(last?.trim() ?? "", runLimits.activityLineCharsMax);
}

/** Names the judge's latest session, or the attempt itself. */
function keyOf({ tasks, judges }: RunState, of: string): AttemptKey {
  const task = of === ofPlan ? null : of;
  const judge = judges.get(task);
  const attempt = tasks.get(of)?.attempts ?? 0;
  const isJudge = judge !== undefined && judge.open !== null;
  return { task: task ?? "final", attempt, ...(isJudge && { judge: judge.sessions }) };
}

/** Looks at the end of what a command or session has printed so far. */
export function printedLast(file: string): Printed {
  const text = printedLines(file).join("\n");
  // A bar that other output has overwritten still says how far it is.
  const lines = stripVTControlCharacters(text).split(/[\n\r]/);
  return { line: lastLine(text), mark: progressMark(lines.slice(-runLimits.progressLinesMax)) ?? null };
}

/** The end of a session's output, redacted when it was written. A first line that was cut is left out, and so is what programs say to each other. */
export function printedLines(file: string): string[] {
  const { text, isWhole } = readTail(file, runLimits.activityTailBytes);
  const lines = (isWhole ? text : text.slice(text.indexOf("\n") + 1)).trimEnd().split("\n");
  return lines.filter((line) => !line.startsWith("{"));
}

const fileName = "activity.json";

interface Note {
  readonly write: (activity: Activity) => void;
  readonly remove: () => void;
}

/** Writes only what changed. A reader always sees a whole file. */
function noteIn({ dir }: RunPaths): Note {
  const [file, temporary] = [join(dir, fileName), join(dir, `.${fileName}.tmp`)];
  let noted = notedOf({ sessions: [], commands: [] });
  let isWritten = false;
  return {
    write: (activity) => {
      const news = notedOf(activity);
      if (news === noted) return;
      noted = news;
      isWritten = true;
      quietly(() => {
        writeFileSync(temporary, `{"v":1,"pid":${process.pid},${news}}\n`, { mode: 0o600 });
        renameSync(temporary, file);
      });
    },
    remove: () => {
      if (isWritten) for (const path of [temporary, file]) quietly(() => rmSync(path, { force: true }));
    },
  };
}

/** A full disk must not disturb the run: other processes then just cannot see what agents say. */
function quietly(action: () => void): void {
  try {
    action();
  } catch {
    return;
  }
}

function notedOf({ sessions, commands }: Activity): string {
  const since = (ms: number) => new Date(ms).toISOString();
  const running = commands.map((command) => ({ ...command, since: since(command.since) }));
  return `"sessions":${JSON.stringify(sessions.map(publicOf))},"commands":${JSON.stringify(running)}`;
}

function publicOf({ task, line, inputTokens, outputTokens, usd, unpricedTokens }: SessionActivity) {
  return {
    task,
    line,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    usd,
    unpriced_tokens: unpricedTokens,
  };
}

/** Reads what the driver of a run noted for other processes; nothing where another process than `driver` wrote it. */
export function readActivity({ dir }: RunPaths, driver: number | null): Activity {
  try {
    const { text, isWhole } = readTail(join(dir, fileName), runLimits.activityBytesMax);
    if (driver === null || !isWhole) return noActivity;
    const { pid, sessions, commands } = schema.parse(JSON.parse(text));
    if (pid !== driver) return noActivity;
    const running = commands.map((command) => ({ ...command, since: Date.parse(command.since) }));
    return { sessions: sessions.map(sessionOf), commands: running };
  } catch {
    return noActivity;
  }
}

export const noActivity: Activity = { sessions: [], commands: [] };

const count = z.number().min(0);
const schema = z.object({
  v: z.literal(1),
  pid: z.int(),
  sessions: z.array(
    z.object({
      task: z.string().nullable(),
      line: z.string(),
      input_tokens: count,
      output_tokens: count,
      usd: count,
      unpriced_tokens: count,
    }),
  ),
  commands: z.array(
    z.object({
      task: z.string().nullable(),
      name: z.string(),
      since: z.iso.datetime(),
      line: z.string(),
      mark: z.string().nullable(),
    }),
  ),
});

function sessionOf(noted: z.infer<typeof schema>["sessions"][number]): SessionActivity {
  const { task, line, usd } = noted;
  const tokens = { inputTokens: noted.input_tokens, outputTokens: noted.output_tokens };
  return { task, line, usd, ...tokens, unpricedTokens: noted.unpriced_tokens };
}

/** The end of a file that may be of any length, or nothing where it cannot be read; a pipe in its place is not waited for. */
export function readTail(file: string, bytesMax: number): { readonly text: string; readonly isWhole: boolean } {
  let fd: number | undefined;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, bytesMax));
    const count = readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return { text: bytes.toString("utf8", 0, count), isWhole: size <= bytesMax };
  } catch {
    return { text: "", isWhole: true };
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
