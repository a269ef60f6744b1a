import { fail, ok, type Failure, type Result } from "../base/result.ts";
import type { Approved } from "./approved-plan.ts";
import { whyGitIsTooOld } from "../project/git-version.ts";
import { failedPrerequisites } from "./prerequisites.ts";
import { findProjectSandbox, type FoundSandbox } from "../project/project-sandbox.ts";
import type { Project } from "../project/project.ts";
import { whyNoAgent } from "../agents/real-sessions.ts";

/** Checks what a new run needs: git, agents where it starts any, the sandbox, and the plan's prerequisites. */
export async function preconditions(
  project: Project,
  start: Pick<Approved, "ready" | "base"> & { readonly isForAgents: boolean; readonly signal: AbortSignal },
): Promise<Result<FoundSandbox, Failure<"old-git" | "no-agent" | "no-sandbox" | "no-mount" | "prerequisite">>> {
  const { ready, base, isForAgents, signal } = start;
  const oldGit = await whyGitIsTooOld();
  if (oldGit !== undefined) return fail("old-git", oldGit);
  const noAgent = isForAgents ? whyNoAgent(ready, project.env) : undefined;
  if (noAgent !== undefined) return fail("no-agent", noAgent);
  const found = await findProjectSandbox(project, ready.config);
  if (!found.ok) return found;
  const { sandbox } = found.value;
  const failed = await failedPrerequisites(project, { ready, commit: base, sandbox, signal });
  return failed === undefined ? ok(found.value) : fail("prerequisite", `a prerequisite is not met: ${failed}`);
}
