import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../engine/events.ts";
import { pinInUserRepo } from "../git/control.ts";
import { listPaths } from "../git/objects.ts";
import { compareAndSwapRef } from "../git/refs.ts";
import { identity } from "../git/user-repo.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { projectRedactor } from "../agents/redaction.ts";
import type { Approved } from "../approval/approved-plan.ts";
import type { Ready } from "../approval/committed-plan.ts";
import { settingsOf, specsOf } from "../approval/plan-of-run.ts";
import { isQuickPlan } from "../plan/quick-plan.ts";
import { writeFolder } from "../planning/draft-files.ts";
import { realMachine } from "../project/machine.ts";
import { runPaths, runRef, judgeKey } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import { newRunId, numberForRun, timeForRun, unjournaledRepairs, type StartedRun } from "../project/runs.ts";
import type { FoundSandbox } from "../sandbox/find.ts";
import {
  approvedEvent,
  assemble,
  audienceOf,
  everyone,
  openRunHooks,
  warnOfBranch,
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
    const paths = { ...runPaths(project.paths, run.id), resumeCommand: `stint run ${run.state.plan}` };
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

/** Keeps the documents of a quick plan, which no commit has, in the folder of its run; resume reads them there. */
async function keepPlan(dir: string, { plan, files }: Ready): Promise<void> {
  const own = [...files].flatMap(([path, file]) =>
    path.startsWith(`${plan.dir}/`) && "bytes" in file ? [[path.slice(plan.dir.length + 1), file.bytes] as const] : [],
  );
  await writeFolder(join(dir, plan.dir), new Map(own));
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
  const named = { run: id, number: numberForRun(project.paths, ready.plan.name), plan: ready.plan.name };
  const { dir, journal: path } = runPaths(project.paths, id);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (isQuickPlan(ready.plan.name)) await keepPlan(dir, ready);
  await pinInUserRepo(project.repo, `refs/stint/keep/${id}/base`, base);
  const created = await compareAndSwapRef(project.control, runRef(id), { next: base, old: null });
  if (created !== "moved") return fail("run-exists", `run ${id} exists already. Try again.`);
  const tree = await listPaths(project.control, base);
  const events: RunEvent[] = [
    approvedEvent(approval),
    {
      type: "run-started",
      ...named,
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
  const hooks = openRunHooks(project, { ready, run: named, entries: [], approval, redact, audience });
  const begun = beginJournal({ ...realMachine, clock }, { path, observe: everyone(audience, hooks) }, events);
  if (!begun.ok) return begun;
  const branchProblem = await warnOfBranch(project, begun.value.state, listener);
  const surroundings = { identity: who.value, sandbox, clock };
  const run = assemble(project, { ...begun.value, ready, redact, hooks, audience, ...surroundings });
  return ok({ ...run, branchProblem });
}
