import { exitCodes } from "../../engine/exit-code.ts";
import { head } from "../../git/user-repo.ts";
import { readApproval } from "../../approval/approvals.ts";
import { checkPlan, type CheckedGroup } from "../../approval/check-plan.ts";
import { errorsIn, hasErrors, readCommittedPlan, type PlanReading } from "../../approval/committed-plan.ts";
import type { Project } from "../../project/project.ts";
import { setupOrigin } from "../../project/settings.ts";
import { isQuickPlan } from "../../plan/quick-plan.ts";
import { visible, visibleJson } from "../../base/visible.ts";
import { ok } from "../../base/result.ts";
import { lintWorkTree } from "../../approval/lint.ts";
import { refuse, refuseWith, type Io } from "../io.ts";
import { checkLines, saidOf, summaryOf, type Said } from "../render-check.ts";
import { tellProblems } from "./lint.ts";
import { project, projectAndPlan, projectSandbox, type Selected } from "./select.ts";

/** `stint check`: runs every check of the plan on HEAD, in the same clean checkout a run would use, with how to fix it. */
export async function check(io: Io, name: string | undefined, options: { readonly json?: true }): Promise<number> {
  const selected = await planToCheck(io, name);
  if (!selected.ok) return refuseWith(io, selected.failure);
  const { project, plan: planName, commit, reading } = selected.value;
  tellProblems(io, reading.problems);
  const { plan } = reading;
  if (plan === undefined || hasErrors(reading.problems)) {
    return refuse(io, exitCodes.usage, errorsIn(planName));
  }
  const found = await projectSandbox(project, reading.config);
  if (!found.ok) return refuseWith(io, found.failure);
  io.err(visible(found.value.word));
  const groups = checkPlan(project, {
    reading: { ...reading, plan },
    commit,
    found: found.value,
    signal: io.signal,
    givingNetwork: (label) => io.err(visible(`Retrying with network access: ${label}`)),
  });
  const { file, at } = setupOrigin(project, reading.files);
  const about = { isTyped: isQuickPlan(planName), setupPlace: `${file}:${at.line}` };
  const shown: Said[] = [];
  for await (const group of groups) {
    const isFirstSetup = !shown.some(({ setupTail }) => setupTail !== undefined);
    const said = saidOf(group, about);
    shown.push(...said);
    if (options.json !== true) groupLines(io, { group, said, isFirstSetup }).forEach(io.out);
  }
  io.out(options.json === true ? visibleJson(shown.map(asJson)) : summaryOf(shown));
  return shown.some((result) => result.state === "broken") ? exitCodes.red : exitCodes.done;
}

/** A set-up that fails does so for every check; the reason is printed with the first. */
function groupLines(
  { paint }: Io,
  {
    group,
    said,
    isFirstSetup,
  }: { readonly group: CheckedGroup; readonly said: readonly Said[]; readonly isFirstSetup: boolean },
): string[] {
  const first = said.findIndex(({ setupTail }) => isFirstSetup && setupTail !== undefined);
  const lines = said.flatMap((one, at) => checkLines(one, { paint, isSetupShown: at !== first }));
  const note = noteOn(group);
  return [headingOf(group, paint), ...lines, ...(note === undefined ? [] : [`  ${paint.yellow(visible(note))}`])];
}

function headingOf({ owner, task }: CheckedGroup, paint: Io["paint"]): string {
  return task === undefined ? paint.bold(owner) : `${paint.bold(owner)} ${paint.dim(visible(task.title))}`;
}

/** Says what a run would conclude from all of a task's checks, if that is not what the task is meant for. */
function noteOn({ baseline, checked }: CheckedGroup): string | undefined {
  if (baseline?.state === "green") return "nothing to do: all checks pass on HEAD, so a run could prove nothing";
  const isNoCheckBroken = checked.every(({ evidence }) => evidence.state !== "broken");
  return baseline?.state === "broken" && isNoCheckBroken ? `would be blocked: ${baseline.why}` : undefined;
}

function asJson({ task, label, state, why, tests, proof, cure }: Said) {
  return { task, label, state, why, tests, proof, cure };
}

interface PlanToCheck {
  readonly project: Project;
  readonly plan: string;
  readonly commit: string;
  readonly reading: PlanReading;
}

/** The plan of a `stint do` is not in the work tree: it is read, and its checks are run, at the commit it was approved at. */
async function planToCheck(io: Io, name: string | undefined): Promise<Selected<PlanToCheck>> {
  const selected = await projectAndPlan(io, name);
  if (selected.ok) {
    const { project, plan } = selected.value;
    return ok({ project, plan, commit: (await head(project.repo)).sha, reading: await lintWorkTree(project, plan) });
  }
  const opened = await project(io);
  if (!opened.ok || name === undefined || !isQuickPlan(name)) return selected;
  const commit = readApproval(opened.value.paths, name)?.commit;
  if (commit === undefined) return selected;
  const reading = await readCommittedPlan(opened.value, { commit, plan: name });
  return ok({ project: opened.value, plan: name, commit, reading });
}
