import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { openControl, type Control } from "../git/control.ts";
import { leftOutPaths, openUserRepo, type UserRepo } from "../git/user-repo.ts";
import { plural } from "../base/plural.ts";
import { ok, fail, type Result, type Failure } from "../base/result.ts";
import { projectLimits } from "./limits.ts";
import { pathsOf, userHome, type Paths } from "./paths.ts";
import { ensureStateFolders } from "./state-folder.ts";
import type { Config } from "../config/load.ts";
import { worktreePaths } from "../git/worktrees.ts";
import { findSandbox, type FoundSandbox } from "../sandbox/find.ts";
import { idRule, isId } from "../plan/ids.ts";
import { nearest } from "../plan/nearest.ts";
import { isOfPlan, oneFileOf, planPathOf } from "../plan/plan-folder.ts";
import { listPlans, whyFilesAreNoPlans } from "../plan/read.ts";

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
): Promise<Result<FoundSandbox, Failure<"no-tmp" | "no-sandbox" | "no-mount">>> {
  const hidden = [repo.commonDir, ...(await worktreePaths(repo)), dirname(paths.scratch)];
  const mounts = workspace.mounts.map(({ path, writable }) => ({
    path: path.startsWith("~/") ? join(userHome(env), path.slice(2)) : path,
    writable,
  }));
  return await findSandbox({ mode: run.sandbox, env, hidden, mounts, roomsBelow: paths.scratch });
}

/** Returns the plan that `selectPlan` does; where a sparse checkout leaves it out, the failure says so. */
export async function findPlan(
  repo: UserRepo,
  typed: string | undefined,
  cwd: string,
): Promise<Result<string, Failure<"no-plan" | "left-out">>> {
  const selected = selectPlan(repo.root, typed, cwd);
  if (selected.ok) return selected;
  const name = typed === undefined ? undefined : planNameIn(typed, { root: repo.root, cwd });
  const why = await whyLeftOut(repo, name);
  return why === undefined ? selected : fail("left-out", why);
}

/** Says that a sparse checkout leaves out a plan, or, without a name, all of them. */
export async function whyLeftOut(repo: UserRepo, name?: string): Promise<string | undefined> {
  if (name === undefined && listPlans(repo.root).length > 0) return undefined;
  const folders = ["plans", ".stint"];
  const paths = await leftOutPaths(repo, folders);
  const isMeant = (path: string) => (name === undefined ? path.startsWith("plans/") : isOfPlan(path, name));
  if (!paths.some(isMeant)) return undefined;
  const what = name === undefined ? "plans/" : planPathOf(name, (path) => paths.includes(path));
  const wanted = folders.filter((folder) => paths.some((path) => path.startsWith(`${folder}/`)));
  return `${what} is not in your work tree, which is a sparse checkout. Get it with \`git sparse-checkout add ${wanted.join(" ")}\`.`;
}

/** Returns the named plan of a work tree, or the only one; otherwise the failure says what to choose from. */
export function selectPlan(
  root: string,
  typed: string | undefined,
  cwd: string = root,
): Result<string, Failure<"no-plan">> {
  const plans = listPlans(root);
  const flaw = plans.length === 0 ? whyNoFolder(root) : undefined;
  if (flaw !== undefined) return fail("no-plan", flaw);
  const likely = plans.filter((name) => isId(name) && isBegun(root, name));
  if (typed !== undefined) {
    const name = planNameIn(typed, { root, cwd });
    if (likely.length > 0 && plans.includes(name) && isId(name) && !isBegun(root, name))
      return fail("no-plan", `plans/${name} is no plan: it has no plan.md. There are: ${likely.join(", ")}`);
    // A file that was named is meant, even if nothing in it says yet that it is a plan.
    if (plans.includes(name) || (isId(name) && existsSync(join(root, oneFileOf(name))))) return wellNamed(name);
    const meant = plans.length > projectLimits.plansNamedMax ? nearest(name, plans) : undefined;
    const known = plans.length === 0 ? "plans/ has none." : `There are: ${plans.join(", ")}`;
    return fail("no-plan", `no plan ${typed}. ${meant === undefined ? known : `Did you mean ${meant}?`}`);
  }
  // Whatever else people keep beside their plans is none, unless there is nothing else.
  const meant = likely.length === 0 ? plans : likely;
  const [only, ...others] = meant;
  if (only === undefined) {
    const cure = 'draft one with stint plan "<goal>", or write one yourself: stint new <name>';
    return fail("no-plan", [`no plan: ${cure}`, ...filesThatAreNoPlans(root)].join(". "));
  }
  return others.length === 0 ? wellNamed(only) : fail("no-plan", `which plan? Name one of: ${meant.join(", ")}`);
}

/** Names, where there is no plan, the files that somebody may take for one; a sentence each, without its full stop. */
export function filesThatAreNoPlans(root: string): string[] {
  const all = whyFilesAreNoPlans(root);
  const more = all.length - projectLimits.noPlansNamedMax;
  const rest = more > 0 ? [`The folder has ${plural(more, "more file")} like this`] : [];
  return [...all.slice(0, projectLimits.noPlansNamedMax), ...rest];
}

/** Whether a plan is more than a folder: lint says what is missing in one that was begun. */
function isBegun(root: string, name: string): boolean {
  return [oneFileOf(name), `plans/${name}/plan.md`, `plans/${name}/tasks`].some((path) => existsSync(join(root, path)));
}

function whyNoFolder(root: string): string | undefined {
  const found = statSync(join(root, "plans"), { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return undefined;
  return "plans is a file, and plans are kept in a folder of that name. Rename the file.";
}

/** A folder may have any name; one that no plan can have is said before anything is read or found missing in it. */
function wellNamed(name: string): Result<string, Failure<"no-plan">> {
  return isId(name) ? ok(name) : fail("no-plan", `plans/${name} cannot be a plan by that name: ${idRule}. Rename it.`);
}

/** Returns the name of the plan that was typed: as a name, or as the path of the plan or of something in it. */
export function planNameIn(typed: string, { root, cwd }: { readonly root: string; readonly cwd: string }): string {
  if (isId(typed)) return typed;
  const here = resolve(cwd, typed);
  // A path may lead here by a link; and one from the root is understood in every folder.
  const names = [here, realPathOf(here), resolve(root, typed)].map(
    (path) => /^plans\/([^/]+?)(?:\.md)?(?:\/.*)?$/.exec(relative(root, path))?.[1],
  );
  return names.find((name) => name !== undefined) ?? typed.replace(/\.md$/, "");
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
