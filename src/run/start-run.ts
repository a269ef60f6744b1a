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
import { settingsOf, specsOf } from "../approval/frozen-plan.ts";
import { realMachine } from "../project/machine.ts";
import { runPaths, runRef } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import { newRunId, timeForRun } from "../project/runs.ts";
import type { FoundSandbox } from "../sandbox/find.ts";
import {
  approvedEvent,
  assemble,
  audienceOf,
  everyone,
  type OpenedRun,
  type OpenOptions,
  type RunListener,
} from "./opened-run.ts";
import { openRunHooks } from "./run-hooks.ts";
import { beginJournal } from "./run-journal.ts";

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
