import { programFinder, setupLine } from "../../approval/lint.ts";
import type { Result } from "../../base/result.ts";
import type { Config } from "../../config/load.ts";
import { lendersOf } from "../../git/control.ts";
import type { Identity } from "../../git/names.ts";
import { listPaths } from "../../git/objects.ts";
import { listSubmodules, type Submodule } from "../../git/submodules.ts";
import { head, identity, type UserRepo } from "../../git/user-repo.ts";
import { commandsOf } from "../../plan/lint/advice/commands.ts";
import { advisePrograms } from "../../plan/lint/advice/programs.ts";
import { foresee } from "../../plan/lint/world.ts";
import { parseRules } from "../../plan/rules.ts";
import type { PlanFiles, Problem } from "../../plan/types.ts";

/** The parts of a repository that a run depends on, whatever its plan. */
export interface RepositoryFacts {
  readonly identity: Result<Identity>;
  readonly isShallow: boolean;
  readonly submodules: readonly Submodule[];
  /** The set-up command, and the checks of the rules. */
  readonly commands: readonly string[];
  /** Errors in the rules, and programs of these commands that are missing. */
  readonly flaws: readonly Problem[];
}

/** Looks at HEAD and the work tree of the user's repository; writes nothing. */
export async function examineRepository(
  repo: UserRepo,
  { config, files, env }: { readonly config: Config; readonly files: PlanFiles; readonly env: NodeJS.ProcessEnv },
): Promise<RepositoryFacts> {
  const lenders = { dir: repo.gitDir, ...lendersOf(repo) };
  const { sha } = await head(repo);
  const repoFiles = await listPaths(lenders, sha);
  const setup = setupLine({ env }, { config, files });
  const { rules, problems } = parseRules(files);
  const commands = commandsOf({ rules, setup }, []);
  const world = foresee([], repoFiles, new Set());
  return {
    identity: await identity(repo),
    isShallow: repo.shallow,
    submodules: await listSubmodules(lenders, sha),
    commands: commands.map(({ line }) => line),
    flaws: [...problems, ...advisePrograms({ commands, world, hasProgram: programFinder(env), setup })],
  };
}
