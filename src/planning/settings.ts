import type { Config } from "../config/load.ts";
import { rulesText } from "../plan/rules.ts";
import type { Prompts } from "../prompts/overrides.ts";
import type { Redactor } from "../base/redact.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { readCommittedSettings } from "../approval/committed-plan.ts";
import { whyGitIsTooOld } from "../approval/preconditions.ts";
import { findProjectSandbox, type Project } from "../project/project.ts";
import { whyNoAgentFor } from "../agents/real-sessions.ts";
import { projectRedactor } from "../agents/redaction.ts";
import { readSettings } from "../project/settings.ts";
import { projectFacts } from "./project-facts.ts";

/** What a planning session takes from the project's settings and from this machine. */
export interface PlanningSettings {
  readonly config: Config;
  readonly prompts: Prompts;
  readonly sandbox: Sandbox;
  /** Says to people how agents and checks are confined; absent in a run, which has said it at its start. */
  readonly sandboxWord?: string;
  readonly redact: Redactor;
  readonly rules: string;
  readonly project: string;
}

/** Reads the settings of a commit, and makes sure that agents can work with them; the facts are those of the base. */
export async function planningSettings(
  project: Project,
  { commit, base }: { readonly commit: string; readonly base: string },
): Promise<Result<PlanningSettings>> {
  const oldGit = await whyGitIsTooOld();
  if (oldGit !== undefined) return fail("old-git", oldGit);
  const files = await readCommittedSettings(project, commit);
  const { config, prompts, problems } = readSettings(project, files);
  const error = problems.find(({ severity }) => severity === "error");
  if (error !== undefined)
    return fail("settings", `${error.file}:${error.line}:${error.column}: error: ${error.message}`);
  const noAgent = await whyNoAgentFor(["planner", "reviewer"], config, project);
  if (noAgent !== undefined) return { ok: false, failure: noAgent };
  const found = await findProjectSandbox(project, config);
  if (!found.ok) return found;
  return ok({
    config,
    prompts,
    sandbox: found.value.sandbox,
    sandboxWord: found.value.word,
    redact: await projectRedactor(project, config),
    rules: rulesText(files),
    project: await projectFacts(project, base),
  });
}
