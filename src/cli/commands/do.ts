import { exitCodes } from "../../engine/exit-code.ts";
import { listPaths } from "../../git/objects.ts";
import { dirtyPaths } from "../../git/user-commit.ts";
import { head } from "../../git/user-repo.ts";
import { hasErrors, readCommittedPlan, readingFlags } from "../../approval/committed-plan.ts";
import type { Ready } from "../../approval/committed-plan.ts";
import { namedPrograms } from "../../approval/programs.ts";
import type { Project } from "../../project/project.ts";
import type { StartedRun } from "../../project/runs.ts";
import { startOrResume, type Choice } from "../../run/start-or-resume.ts";
import { quickPlan, type QuickPlan } from "../../plan/quick-plan.ts";
import { ok } from "../../base/result.ts";
import { refuse, refuseWith, type Io } from "../io.ts";
import { recordApproval } from "./approve.ts";
import { tellProblems } from "./lint.ts";
import { driveOpening, listenerOf, type DriveFlags } from "./drive-run.ts";
import { project, refusal, type Selected } from "./select.ts";
import { tellUncommitted } from "./uncommitted.ts";

export interface DoOptions extends DriveFlags {
  readonly check?: readonly string[];
  readonly files?: readonly string[];
}

/** `stint do`: makes a plan of one task from a goal and checks, approved by running the command; only the run's folder has it. */
export async function doGoal(io: Io, goal: string | undefined, options: DoOptions): Promise<number> {
  const opened = await project(io);
  if (!opened.ok) return refuseWith(io, opened.failure);
  const { repo, control } = opened.value;
  const commit = (await head(repo)).sha;
  const files = await listPaths(control, commit);
  const asked = { goal: goal ?? "", checks: options.check ?? [], files: options.files ?? [] };
  const quick = quickPlan({ ...asked, head: { commit, files } });
  if (!quick.ok) return refuse(io, exitCodes.usage, quick.failure.message);
  const settings = await dirtyPaths(repo, [".stint"]);
  if (settings.length > 0) {
    const list = settings.map((path) => `  ${path}`).join("\n");
    const what = "rules or settings have uncommitted changes, but a run uses those at HEAD";
    return refuse(io, exitCodes.person, `${what}:\n${list}\nCommit or stash them, then try again.`);
  }
  const request = { quick: quick.value, parent: commit, options };
  const wanted = {
    plan: quick.value.name,
    choose: (runs: readonly StartedRun[]) => approveByTyping(io, opened.value, { request, found: runs.at(-1) }),
    flags: readingFlags(options),
    signal: io.signal,
  };
  const opening = await startOrResume(opened.value, wanted, listenerOf(io, options));
  return await driveOpening(io, opened.value, { opening, options });
}

interface Request {
  readonly quick: QuickPlan;
  readonly parent: string;
  readonly options: DoOptions;
}

/** Typing the command is the approval, also of a run that is resumed: whoever types it has seen to the agents' programs. */
async function approveByTyping(
  io: Io,
  project: Project,
  { request, found }: { readonly request: Request; readonly found: StartedRun | undefined },
): Promise<Selected<Choice>> {
  const base = found?.state.base ?? request.parent;
  const ready = await readyPlan(io, project, { commit: base, request });
  if (!ready.ok) return ready;
  const programs = namedPrograms(ready.value.config, project.repo.root);
  const plan = request.quick.name;
  const approval = await recordApproval(project, { plan, hash: ready.value.hash, commit: base, programs });
  if (!approval.ok) return approval;
  if (found !== undefined) return ok({ resume: found });
  await tellUncommitted(io, project.repo, { name: "this run" });
  return ok({ start: { ready: ready.value, base, approval: approval.value } });
}

/** Reads the plan as a run does; what lint says about its only task is about the command line. */
async function readyPlan(
  io: Io,
  project: Project,
  { commit, request }: { readonly commit: string; readonly request: Request },
): Promise<Selected<Ready>> {
  const { quick, options } = request;
  const documents = new Map([...quick.files].map(([path, text]) => [path, { bytes: Buffer.from(text) }]));
  const flags = readingFlags(options);
  const reading = await readCommittedPlan(project, { commit, plan: quick.name, flags, documents });
  const typed = reading.problems.find(({ file, severity }) => file === quick.taskFile && severity === "error");
  if (typed !== undefined) {
    return refusal(exitCodes.usage, `--files${/^files\.\w+(.*)/s.exec(typed.message)?.[1] ?? `: ${typed.message}`}`);
  }
  tellProblems(io, reading.problems);
  if (reading.plan === undefined || hasErrors(reading.problems)) {
    return refusal(exitCodes.usage, "rules or settings at HEAD have errors; fix and commit them, then try again");
  }
  return ok({ ...reading, plan: reading.plan });
}
