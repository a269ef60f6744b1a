import type { RunEntry } from "../../hooks/run-entry.ts";
import { judgeKey, planningPathsIn, type runPaths } from "../../project/paths.ts";
import { marked, openSessionOutput, type OutputStyle, type SessionOutput } from "./session-output.ts";
import { tellPlanning } from "./tell-planning.ts";

type RunPaths = ReturnType<typeof runPaths>;

/** What the transcript of a run is printed with. */
export interface Telling extends OutputStyle {
  readonly paths: RunPaths;
  /** Prints an event. */
  readonly tell: (entry: RunEntry) => void;
  /** What begins each line of a session; the session is named by its task or its role. */
  readonly mark: (session: string) => string;
}

/** Tells events of a run and, in between, the transcripts of the sessions that they start. */
export interface RunTeller {
  readonly tell: (entry: RunEntry) => void;
  /** Prints what running sessions have added. */
  readonly readOn: () => void;
  /** Prints what is left of sessions whose end nobody recorded. */
  readonly end: () => void;
}

export function runTeller(telling: Telling): RunTeller {
  const running = new Map<string, SessionOutput>();
  const end = (session: string) => {
    running.get(session)?.end();
    running.delete(session);
  };
  return {
    tell: (entry) => {
      const ended = sessionEndedBy(entry);
      if (ended !== undefined) end(ended);
      // A planner that waits for its service resumes without another event.
      if (entry.type === "replan-proposed" || entry.type === "replan-failed") running.get(planner)?.readOn();
      telling.tell(entry);
      const started = sessionStartedBy(entry, telling);
      if (started === undefined) return;
      end(started.name);
      running.set(started.name, started.open());
    },
    readOn: () => {
      for (const output of running.values()) output.readOn();
    },
    end: () => {
      for (const session of running.keys()) end(session);
    },
  };
}

/** The name of a task's session is its task: it has one at a time. */
function sessionEndedBy(entry: RunEntry): string | undefined {
  if (entry.type === "agent-finished") return entry.task;
  return entry.type === "judged" ? judgeOf(entry.task) : undefined;
}

interface StartedSession {
  readonly name: string;
  readonly open: () => SessionOutput;
}

function sessionStartedBy(entry: RunEntry, { paths, mark, ...style }: Telling): StartedSession | undefined {
  const styleOf = (name: string) => marked(style, mark(name));
  const opening = (name: string, dir: string): StartedSession => ({
    name,
    open: () => openSessionOutput(dir, styleOf(name)),
  });
  if (entry.type === "agent-started") return opening(entry.task, paths.attempt(entry));
  if (entry.type === "judge-started") return opening(judgeOf(entry.task), paths.attempt(judgeKey(entry)));
  if (entry.type !== "replan-started") return undefined;
  const resumeCommand = `stint resume ${paths.run}`;
  const dir = paths.revision(entry.revision);
  const revision = planningPathsIn({ ...paths, resumeCommand, dir, scratch: paths.planners });
  const both = { events: styleOf(planner), sessions: styleOf(planner) };
  return { name: planner, open: () => tellPlanning(revision, both) };
}

const planner = "planner";

function judgeOf(task: string | null): string {
  return `${task ?? "plan"} judge`;
}

/** Says which events are about a task: also those of a planner that was asked because of it. */
export function belongingTo(task: string | undefined): (entry: RunEntry) => boolean {
  const revisions = new Set<unknown>();
  return (entry) => {
    if (task === undefined) return true;
    if (entry.type === "replan-started" && entry.tasks.includes(task)) revisions.add(entry.revision);
    return ("task" in entry && entry.task === task) || ("revision" in entry && revisions.has(entry.revision));
  };
}
