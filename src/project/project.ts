import { dirname, join } from "node:path";
import { openControl, type Control } from "../git/control.ts";
import { openUserRepo, type UserRepo } from "../git/user-repo.ts";
import { ok, fail, type Result, type Failure } from "../base/result.ts";
import { pathsOf, type Paths } from "./paths.ts";
import { ensureStateFolders } from "./state-folder.ts";
import type { Config } from "../config/load.ts";
import { worktreePaths } from "../git/worktrees.ts";
import { findSandbox, type FoundSandbox } from "../sandbox/find.ts";
import { listPlans } from "../plan/read.ts";

/** The user's repository with Stint's private folders beside it. */
export interface Project {
  readonly repo: UserRepo;
  readonly control: Control;
  readonly paths: Paths;
  readonly env: NodeJS.ProcessEnv;
}

/** Opens the repository around a folder; creates the private folders where they are missing. */
export async function openProject(cwd: string, env: NodeJS.ProcessEnv): Promise<Result<Project>> {
  const repo = await openUserRepo(cwd);
  if (!repo.ok) return repo;
  const paths = pathsOf(repo.value.commonDir, env);
  const folders = ensureStateFolders(paths);
  if (!folders.ok) return folders;
  const control = await openControl(repo.value, paths.state);
  return ok({ repo: repo.value, control, paths, env });
}

/** Finds the sandbox for agents and checks of a repository. It hides the work trees, the state and that of all other repositories. */
export async function findProjectSandbox(
  { repo, paths, env }: Pick<Project, "repo" | "paths" | "env">,
  { run, workspace }: Config,
): Promise<Result<FoundSandbox, Failure<"no-sandbox" | "no-mount">>> {
  const hidden = [repo.commonDir, ...(await worktreePaths(repo)), dirname(paths.scratch)];
  const mounts = workspace.mounts.map(({ path, writable }) => ({
    path: path.startsWith("~/") ? join(env["HOME"] ?? "/", path.slice(2)) : path,
    writable,
  }));
  return await findSandbox({ mode: run.sandbox, env, hidden, mounts });
}

/** Returns the named plan of a work tree, or the only one; otherwise the failure lists what to choose from. */
export function selectPlan(root: string, name: string | undefined): Result<string, Failure<"no-plan">> {
  const plans = listPlans(root);
  if (name !== undefined) {
    if (plans.includes(name)) return ok(name);
    const known = plans.length === 0 ? "plans/ has none." : `There are: ${plans.join(", ")}`;
    return fail("no-plan", `no plan ${name}. ${known}`);
  }
  const [only, ...others] = plans;
  if (only === undefined)
    return fail(
      "no-plan",
      'no plan: draft one with stint plan "<goal>", or write plans/<name>/plan.md; `stint init` points to a worked example',
    );
  return others.length === 0 ? ok(only) : fail("no-plan", `which plan? Name one of: ${plans.join(", ")}`);
}
