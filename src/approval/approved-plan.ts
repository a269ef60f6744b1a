import { existsSync } from "node:fs";
import { join } from "node:path";
import { isPlanOf } from "../engine/revise.ts";
import { diffFiles, diffText } from "../git/diff.ts";
import { dirtyPaths, ignoreRules } from "../git/user-commit.ts";
import { head } from "../git/user-repo.ts";
import { approvalLimits } from "./limits.ts";
import { headOf, isOfPlan, planPathOf, planPaths, proposedRules } from "../plan/plan-folder.ts";
import { rulesFile } from "../plan/rules.ts";
import type { Problem } from "../plan/types.ts";
import { visible } from "../base/visible.ts";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import { readApproval, type Approval } from "./approvals.ts";
import { errorsIn, hasErrors, readCommittedPlan, type ReadingFlags } from "./committed-plan.ts";
import { ignoredWords } from "./lint.ts";
import type { Ready } from "./committed-plan.ts";
import { namedPrograms, whyProgramsDiffer } from "./programs.ts";
import type { Project } from "../project/project.ts";
import { honouredPaths } from "../agents/repo-settings.ts";
import { findRuns } from "../project/runs.ts";

/** A committed plan that a person has approved, and the commit to start it on. */
export interface Approved {
  readonly ready: Ready;
  readonly base: string;
  readonly approval: Approval;
}

/** Why a committed plan is not run, with the problems that lint found. */
export interface Unready extends Failure<
  "uncommitted" | "not-in-head" | "plan-errors" | "unapproved" | "changed" | "other-programs"
> {
  readonly problems: readonly Problem[];
}

/** The committed plan, if a person has approved exactly it. */
export async function approvedPlan(
  project: Project,
  { plan, flags }: { readonly plan: string; readonly flags: ReadingFlags },
): Promise<Result<Approved, Unready>> {
  const uncommitted = await uncommittedPlanFiles(project, plan);
  if (uncommitted.length > 0) {
    const list = uncommitted.map((path) => `  ${path}`).join("\n");
    const what = "the plan has uncommitted changes, which nobody has approved";
    return unready("uncommitted", `${what}:\n${list}\nRun \`stint approve ${plan}\`.`);
  }
  const base = (await head(project.repo)).sha;
  const ready = await readReadyPlan(project, { plan, commit: base, flags });
  if (!ready.ok) return ready;
  const { problems } = ready.value;
  const approval = readApproval(project.paths, plan);
  if (approval === undefined)
    return unready("unapproved", `plan ${plan} is not approved. Read it with \`stint approve ${plan}\`.`, problems);
  if (approval.hash === ready.value.hash || isRevisedFrom(project, { approval, hash: ready.value.hash })) {
    const now = namedPrograms(ready.value.config, project.repo.root);
    const differ = whyProgramsDiffer(approval.programs, now, plan);
    const approved = { ready: ready.value, base, approval };
    return differ === undefined ? ok(approved) : unready("other-programs", differ, problems);
  }
  const diff = await approvalDiff(project, { previous: approval, commit: base, ready: ready.value });
  const what = `plan ${plan} was changed after it was approved:\n${diff.join("\n")}`;
  return unready("changed", `${what}\nApprove the change with \`stint approve ${plan}\`.`, problems);
}

/** True where HEAD has, after a merge, the revision that the plan's unfinished run accepted: it was approved there. */
function isRevisedFrom(
  { paths }: Project,
  { approval, hash }: { readonly approval: Approval; readonly hash: string },
): boolean {
  const newest = findRuns(paths, approval.plan).runs.at(-1)?.state;
  return newest?.finished === null && isPlanOf(newest, approval.hash) && isPlanOf(newest, hash);
}

/** Reads a committed plan that is fit to run. */
export async function readReadyPlan(
  project: Project,
  options: { readonly plan: string; readonly commit: string; readonly flags?: ReadingFlags },
): Promise<Result<Ready, Unready>> {
  const { plan } = options;
  const reading = await readCommittedPlan(project, options);
  if (![...reading.files.keys()].some((path) => isOfPlan(path, plan))) {
    const isThere = (path: string) => existsSync(join(project.repo.root, path));
    const file = headOf(plan, isThere);
    const rule = (await ignoreRules(project.repo, [file])).get(file);
    const cure =
      rule === undefined
        ? `\`stint approve ${plan} --yes\` commits it.`
        : `The reason: ${ignoredWords(file, rule)}, then \`stint approve ${plan}\`.`;
    const what = `${planPathOf(plan, isThere)} is not in the commit at HEAD, which is what a run uses`;
    return unready("not-in-head", `${what}. ${cure}`);
  }
  if (reading.plan === undefined || hasErrors(reading.problems)) {
    return unready("plan-errors", errorsIn(plan, reading.files), reading.problems);
  }
  return ok({ ...reading, plan: reading.plan });
}

/** Files that an approval covers and that have uncommitted changes. */
export async function uncommittedPlanFiles(project: Project, plan: string): Promise<string[]> {
  return await dirtyPaths(project.repo, [...planPaths(plan), ".stint"]);
}

/** The diff between what was approved and what is committed now. */
export async function approvalDiff(
  project: Project,
  { previous, commit, ready }: { readonly previous: Approval; readonly commit: string; readonly ready: Ready },
): Promise<string[]> {
  const settings = await honouredPaths(project, ready.config, [previous.commit, commit]);
  const paths = [...planPaths(ready.plan.name), ".stint", ...settings];
  const range = { from: previous.commit, to: commit, paths };
  return shownDiff(await diffText(project.control, range, approvalLimits.diffShownBytesMax));
}

/** The diff of the rules if a planner's proposal were adopted; null where it proposes nothing. */
export async function proposedRulesDiff(
  { control }: Pick<Project, "control">,
  { commit, ready }: { readonly commit: string; readonly ready: Pick<Ready, "plan" | "files"> },
): Promise<string[] | null> {
  const to = `${ready.plan.dir}/${proposedRules}`;
  const proposed = ready.files.get(to);
  if (proposed === undefined || "unreadable" in proposed) return null;
  const bytesMax = approvalLimits.proposedRulesShownBytesMax;
  const inForce = ready.files.get(rulesFile);
  if (inForce !== undefined && "bytes" in inForce && Buffer.from(inForce.bytes).equals(proposed.bytes)) return null;
  if (inForce !== undefined) return shownDiff(await diffFiles(control, { commit, from: rulesFile, to }, bytesMax));
  const text = new TextDecoder().decode(proposed.bytes.subarray(0, bytesMax)).trimEnd().replace(/^/gm, "+");
  return shownDiff({ text, truncated: proposed.bytes.length > bytesMax });
}

function shownDiff({ text, truncated }: { readonly text: string; readonly truncated: boolean }): string[] {
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => visible(line));
  return truncated ? [...lines, "(the rest is not shown)"] : lines;
}

function unready(
  reason: Unready["reason"],
  message: string,
  problems: readonly Problem[] = [],
): { readonly ok: false; readonly failure: Unready } {
  return { ok: false, failure: { ...fail(reason, message).failure, problems } };
}
