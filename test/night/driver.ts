// Drives the plan `work` like `stint run` and `stint resume` do, but for the clock: see clock.ts.
import { exitCode } from "../../src/engine/exit-code.ts";
import { head } from "../../src/git/user-repo.ts";
import { readApproval } from "../../src/approval/approvals.ts";
import { readCommittedPlan } from "../../src/approval/committed-plan.ts";
import { drive } from "../../src/run/drive.ts";
import { lockPlan } from "../../src/project/driver-lock.ts";
import type { OpenedRun } from "../../src/run/opened-run.ts";
import { resumeRun } from "../../src/run/resume-run.ts";
import { startRun } from "../../src/run/start-run.ts";
import { openProject, type Project } from "../../src/project/project.ts";
import { findProjectSandbox } from "../../src/project/project.ts";
import { findRuns } from "../../src/project/runs.ts";
import type { Result } from "../../src/base/result.ts";
import { nightClock } from "./clock.ts";

const plan = "work";

function expectOk<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

async function begin(project: Project): Promise<OpenedRun> {
  const base = (await head(project.repo)).sha;
  const reading = await readCommittedPlan(project, { commit: base, plan });
  const approval = readApproval(project.paths, plan);
  if (reading.plan === undefined || approval?.hash !== reading.hash) throw new Error("The plan is not approved.");
  const clock = nightClock(new Date().toISOString());
  const sandbox = expectOk(await findProjectSandbox(project, reading.config));
  const ready = { ...reading, plan: reading.plan };
  return expectOk(await startRun(project, { ready, approval, base, sandbox, flags: {}, clock }, unobserved));
}

const unobserved = { observe: () => undefined };

/** The night continues at the time that the journal ends with. */
async function resume(project: Project): Promise<OpenedRun> {
  const newest = findRuns(project.paths, plan).runs.at(-1);
  const clock = nightClock(newest?.entries.at(-1)?.at ?? "");
  return expectOk(await resumeRun(project, { run: newest?.id ?? "", flags: {}, clock }, unobserved));
}

const project = expectOk(await openProject(process.cwd(), process.env));
const lock = expectOk(lockPlan(project.paths, { plan, purpose: "the night" }));
const { run, close } = process.argv[2] === "begin" ? await begin(project) : await resume(project);
const { signal } = new AbortController();
const state = await drive(run, { signal, wait: true });
await run.ports.settle();
await close(signal);
lock.release();
process.exitCode = exitCode(state);
