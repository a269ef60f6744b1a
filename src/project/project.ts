import { openControl, type Control } from "../git/control.ts";
import { openUserRepo, type UserRepo } from "../git/user-repo.ts";
import { ok, type Result } from "../base/result.ts";
import { pathsOf, type Paths } from "./paths.ts";
import { ensureStateFolders } from "./state-folder.ts";

/** The user's repository with Stint's private folders beside it. */
export interface Project {
  readonly repo: UserRepo;
  readonly control: Control;
  readonly paths: Paths;
  readonly env: NodeJS.ProcessEnv;
}

export async function openProject(cwd: string, env: NodeJS.ProcessEnv): Promise<Result<Project>> {
  const repo = await openUserRepo(cwd);
  if (!repo.ok) return repo;
  const paths = pathsOf(repo.value.commonDir, env);
  const folders = ensureStateFolders(paths);
  if (!folders.ok) return folders;
  const control = await openControl(repo.value, paths.state);
  return ok({ repo: repo.value, control, paths, env });
}
