import { endLeftovers } from "../process/supervise.ts";
import type { RunEvent } from "../engine/events.ts";
import { realFiles } from "../journal/file-port.ts";
import { openJournal } from "../journal/journal.ts";
import { realClock } from "../project/clock.ts";
import { judgeKey, runPaths } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import { endRecordedSession } from "../agents/real-sessions.ts";
import { untoldRepairs } from "../project/repairs.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import type { StartedRun } from "../project/runs.ts";

/** Ends the agents that earlier runs of a plan left when their driver died, and journals that there. */
export async function endEarlierSessions(project: Project, runs: readonly StartedRun[]): Promise<void> {
  for (const run of runs) {
    const paths = runPaths(project.paths, run.id);
    // What a planner has used stays in the journal of its planning session, in case that run is resumed after all.
    for (const folder of [paths.rooms, paths.planners]) {
      await endLeftovers({ cwdWithin: folder, environWithin: folder });
    }
    const working = [...run.state.tasks.values()].filter((task) => task.phase === "working");
    const events: RunEvent[] = [];
    for (const { spec, attempt } of working) {
      const process = attempt?.process ?? null;
      if (attempt === null || process === null) continue;
      const key = { task: spec.id, attempt: attempt.number };
      const usage = await endRecordedSession(paths, key, process);
      events.push({ type: "agent-finished", ...key, outcome: superseded, report: null, reportProblem: null, usage });
    }
    for (const { open } of run.state.judges.values()) {
      if (open === null) continue;
      const { task, attempt, question, session, process: identity, marker } = open;
      const about = { task, attempt, question, session };
      const usage = await endRecordedSession(paths, judgeKey(about), { identity, marker });
      const nothing = { diff: "", judgement: null, problem: null, durationMs: 0 };
      events.push({ type: "judged", ...about, ...nothing, outcome: superseded, usage });
    }
    if (events.length > 0) journal(paths.journal, events);
  }
}

const superseded = { kind: "interrupted", detail: "a newer run of the plan was started" } as const;

function journal(path: string, events: readonly RunEvent[]): void {
  const opened = openJournal(realFiles, path);
  if (!opened.ok) throw new Error(opened.failure.message);
  const { journal: written, entries } = opened.value;
  try {
    for (const event of [...untoldRepairs(realFiles, path, entries as readonly RunEntry[]), ...events]) {
      const appended = written.append(event, realClock.now());
      if (!appended.ok) throw new Error(appended.failure.message);
    }
  } finally {
    written.close();
  }
}
