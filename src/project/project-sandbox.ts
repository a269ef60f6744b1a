import { dirname, join } from "node:path";
import type { Config } from "../config/load.ts";
import { worktreePaths } from "../git/worktrees.ts";
import type { Failure, Result } from "../base/result.ts";
import { findSandbox, type FoundSandbox } from "../sandbox/find.ts";
import type { Project } from "./project.ts";

export type { FoundSandbox };

/** The sandbox for agents and checks of a repository: its work trees, its state and that of all others are out of sight. */
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
