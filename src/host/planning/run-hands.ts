import { systemUser } from "../../system-user.ts";
import { fail, ok, type Result } from "../../result.ts";
import type { Project } from "../project.ts";
import { acceptRevision } from "../revise-run.ts";
import { readRun } from "../runs.ts";
import type { AssessedDraft } from "./contract.ts";

/**
 * Hands a person's revision to the run that executes the plan: nothing is written to the checkout, for the revised plan
 * lands with the run's next task. Where nobody has seen the draft, the run's own settings have to allow that.
 */
export async function handToRun(
  project: Project,
  assessed: AssessedDraft,
  of: { readonly run: string; readonly plan: string; readonly headless: boolean; readonly signal: AbortSignal },
): Promise<Result<readonly string[]>> {
  const { run, plan, headless, signal } = of;
  const read = readRun(project.layout, run);
  if (!read.ok) return read;
  if (headless && read.value.state?.settings.replan !== "auto") {
    const why = `run ${run} goes on with another plan only by a person's word, and nobody saw this one`;
    return fail("unapproved", `${why}. Judge it in a terminal: stint plan --continue ${plan}`);
  }
  const accepted = await acceptRevision(project, { run, assessed, by: systemUser().name, signal });
  return accepted.ok ? ok([]) : accepted;
}
