import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import type { RunEvent } from "../engine/events.ts";
import { pinInUserRepo } from "../git/control.ts";
import { listTree } from "../git/objects.ts";
import { compareAndSwapRef } from "../git/refs.ts";
import { identity } from "../git/user-repo.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { projectRedactor } from "../agents/redaction.ts";
import type { Approved } from "../approval/approved-plan.ts";
import { settingsOf, specsOf } from "../approval/plan-of-run.ts";
import { realMachine } from "../project/machine.ts";
import { runPaths, runRef, judgeKey } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import { newRunId, timeForRun, unjournaledRepairs, type StartedRun } from "../project/runs.ts";
import type { FoundSandbox } from "../sandbox/find.ts";
import {
  approvedEvent,
  assemble,
  audienceOf,
  everyone,
  openRunHooks,
  type OpenedRun,
  type OpenOptions,
  type RunListener,
} from "./opened-run.ts";
import { beginJournal } from "./run-journal.ts";
import { endLeftovers } from "../process/supervise.ts";
import { openJournal } from "../journal/journal.ts";
import { endRecordedSession } from "../agents/real-sessions.ts";
import type { RunEntry } from "../hooks/run-entry.ts";

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
    if (events.length > 0) appendTo(paths.journal, events);
  }
}

const superseded = { kind: "interrupted", detail: "a newer run of the plan was started" } as const;

function appendTo(path: string, events: readonly RunEvent[]): void {
  const { files, clock } = realMachine;
  const opened = openJournal(files, path);
  if (!opened.ok) throw new Error(opened.failure.message);
  const { journal, entries } = opened.value;
  try {
    for (const event of [...unjournaledRepairs(files, path, entries as readonly RunEntry[]), ...events]) {
      const appended = journal.append(event, clock.now());
      if (!appended.ok) throw new Error(appended.failure.message);
    }
  } finally {
    journal.close();
  }
}

/** Starts a new run of an approved plan on a commit: the ref first, then the journal. The caller holds the plan's lock. */
export async function startRun(
  project: Project,
  start: Approved & OpenOptions & { readonly sandbox: FoundSandbox },
  listener: RunListener,
): Promise<Result<OpenedRun>> {
  const { ready, base, approval, sandbox, flags, only = null, clock = realMachine.clock } = start;
  const who = await identity(project.repo);
  if (!who.ok) return who;
  const id = newRunId(ready.plan.name, timeForRun(project.paths, clock.now()), randomBytes(2).toString("hex"));
  const { dir, journal: path } = runPaths(project.paths, id);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  await pinInUserRepo(project.repo, `refs/stint/keep/${id}/base`, base);
  const created = await compareAndSwapRef(project.control, runRef(id), { next: base, old: null });
  if (created !== "moved") return fail("run-exists", `run ${id} exists already. Try again.`);
  const tree = (await listTree(project.control, base)).map(({ path: file }) => file);
  const events: RunEvent[] = [
    approvedEvent(approval),
    {
      type: "run-started",
      run: id,
      plan: ready.plan.name,
      title: ready.plan.title,
      goal: ready.plan.goal,
      planHash: ready.hash,
      base,
      branch: ready.rules.branch.replaceAll("{plan}", ready.plan.name),
      settings: { ...settingsOf(ready, flags), only },
      tasks: specsOf(ready.plan, tree),
    },
  ];
  const redact = await projectRedactor(project, ready.config);
  const audience = audienceOf(listener);
  const hooks = openRunHooks(project, { ready, run: id, entries: [], approval, redact, audience });
  const begun = beginJournal({ ...realMachine, clock }, { path, observe: everyone(audience, hooks) }, events);
  if (!begun.ok) return begun;
  return ok(assemble(project, { ...begun.value, ready, redact, hooks, audience, identity: who.value, sandbox, clock }));
}
