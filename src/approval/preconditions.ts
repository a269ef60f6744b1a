import { join } from "node:path";
import { whyNoTemporaryFiles } from "../base/folder-access.ts";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import type { Approved } from "./approved-plan.ts";
import { findProjectSandbox, type Project } from "../project/project.ts";
import type { FoundSandbox } from "../sandbox/find.ts";
import { whyNoAgent } from "../agents/real-sessions.ts";
import type { CommandWatch } from "../checks/running-command.ts";
import type { RunCheck } from "../plan/types.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { planLimits } from "../plan/limits.ts";
import type { Ready } from "./committed-plan.ts";
import { furnitureOf } from "../workspace/checkout-furniture.ts";
import { checkInFreshRoom, ownRooms } from "../workspace/real-rooms.ts";
import { projectRedactor } from "../agents/redaction.ts";
import { git } from "../git/run.ts";
import { listSubmodules, whySubmodulesMissing } from "../git/submodules.ts";
import { isOlder, versionIn } from "../base/version.ts";

/** Checks what a new run needs: a folder for temporary files, git, agents where it starts any, the files of submodules, the sandbox, and the plan's prerequisites. */
export async function preconditions(
  project: Project,
  start: Pick<Approved, "ready" | "base"> & {
    readonly isForAgents: boolean;
    readonly signal: AbortSignal;
    readonly watch?: CommandWatch | undefined;
  },
): Promise<
  Result<
    FoundSandbox,
    Failure<
      "no-tmp" | "old-git" | "no-agent" | "no-program" | "no-submodule" | "no-sandbox" | "no-mount" | "prerequisite"
    >
  >
> {
  const { ready, base, isForAgents, signal, watch } = start;
  const noTemporaryFiles = whyNoTemporaryFiles();
  if (noTemporaryFiles !== undefined) return fail("no-tmp", noTemporaryFiles);
  const oldGit = await whyGitIsTooOld();
  if (oldGit !== undefined) return fail("old-git", oldGit);
  const noAgent = isForAgents ? await whyNoAgent(ready, project) : undefined;
  if (noAgent !== undefined) return { ok: false, failure: noAgent };
  const noSubmodule = whySubmodulesMissing(await listSubmodules(project.control, base));
  if (noSubmodule !== undefined) return fail("no-submodule", noSubmodule);
  const found = await findProjectSandbox(project, ready.config);
  if (!found.ok) return found;
  const { sandbox } = found.value;
  const failed = await failedPrerequisites(project, { ready, commit: base, sandbox, signal, watch });
  return failed === undefined ? ok(found.value) : fail("prerequisite", `a prerequisite is not met: ${failed}`);
}

/** The oldest git with `merge-tree --write-tree`, by which candidates are placed. */
export const gitMin = "2.38";
/** The oldest git that Stint is tested with. */
export const gitTested = "2.39";

/** Returns what `git --version` says; null where there is no git. */
export async function gitVersion(): Promise<string | null> {
  try {
    return (await git(["--version"])).stdout.toString("utf8").trim();
  } catch {
    return null;
  }
}

/** Says why this git is too old. A run asks before it begins, so that no agent works for a candidate that cannot be placed. */
export async function whyGitIsTooOld(): Promise<string | undefined> {
  const version = versionIn((await gitVersion()) ?? "");
  if (version === undefined || !isOlder(version, gitMin)) return undefined;
  return `git ${version} is too old. Install git ${gitTested} or newer and put it first on PATH.`;
}

/** Runs the prerequisites that have a check, on the commit a run would start from; returns the first that fails. */
export async function failedPrerequisites(
  project: Project,
  request: {
    readonly ready: Ready;
    readonly commit: string;
    readonly sandbox: Sandbox;
    readonly signal: AbortSignal;
    readonly watch?: CommandWatch | undefined;
  },
): Promise<string | undefined> {
  const { ready, commit, sandbox, signal, watch } = request;
  const checked = ready.plan.prerequisites.filter((prerequisite) => prerequisite.check !== undefined);
  if (checked.length === 0) return undefined;
  const { config } = ready;
  const redact = await projectRedactor(project, config);
  const furniture = furnitureOf(project, { config, sandbox, trusted: { base: commit }, redact, watch });
  await using rooms = ownRooms({
    control: project.control,
    furniture,
    dir: join(project.paths.scratch, "prerequisites"),
    base: commit,
  });
  const logDir = join(project.paths.scratch, "prerequisites-log");
  const checks = checked.map(({ check }) => commandCheck(check ?? ""));
  const evidence = await checkInFreshRoom(rooms, { commit, checks, logDir, signal });
  const failed = evidence.findIndex((result) => result.state !== "green");
  return failed === -1 ? undefined : `${checked[failed]?.text} (${evidence[failed]?.label}: ${evidence[failed]?.why})`;
}

/** A command as a check with the defaults of one. */
export function commandCheck(run: string): RunCheck {
  const at = { line: 1, column: 1 };
  return { kind: "run", run, timeoutMs: planLimits.checkTimeoutMs, env: {}, cwd: ".", network: false, red: false, at };
}
