import { fail, ok, type Result } from "../base/result.ts";
import { systemUser } from "../base/system-user.ts";
import type { Project } from "../project/project.ts";
import { readRun } from "../project/runs.ts";
import { acceptRevision } from "../run/revision/accept.ts";
import type { AssessedDraft } from "./machine/assessment.ts";

/**
 * Gives a revision to the run that executes the plan. Nothing is written to the checkout: the revised plan lands with the
 * run's next task. A revision that no person has seen needs the permission of the run's own settings.
 */
export async function handToRun(
  project: Project,
  assessed: AssessedDraft,
  of: { readonly run: string; readonly plan: string; readonly headless: boolean; readonly signal: AbortSignal },
): Promise<Result<readonly string[]>> {
  const { run, plan, headless, signal } = of;
  const read = readRun(project.paths, run);
  if (!read.ok) return read;
  if (headless && read.value.state?.settings.replan !== "auto")
    return fail(
      "unapproved",
      `run ${run} takes a revised plan only with your approval. Review it in a terminal: stint plan --continue ${plan}`,
    );
  const by = headless ? null : systemUser().name;
  const accepted = await acceptRevision(project, { run, assessed, by, signal });
  return accepted.ok ? ok([]) : accepted;
}
