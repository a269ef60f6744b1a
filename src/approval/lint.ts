import { posix } from "node:path";
import { listPaths, readBlobs } from "../git/objects.ts";
import { dirtyPaths, ignoreRules } from "../git/user-commit.ts";
import { head } from "../git/user-repo.ts";
import { readPlanFilesFromDisk } from "../plan/read.ts";
import { readPlan, type PlanReading } from "./committed-plan.ts";
import type { Project } from "../project/project.ts";
import { findProgram } from "../process/find-program.ts";
import { isAboutMissing } from "../plan/lint/lint.ts";
import { advise } from "../plan/lint/advice/advise.ts";
import type { SetupLine } from "../plan/lint/advice/commands.ts";
import type { PackageScripts } from "../plan/lint/advice/scripts.ts";
import { isOfPlan } from "../plan/plan-folder.ts";
import { sortProblems, unreadableProblems, warningAt } from "../plan/problem.ts";
import { parseRules, rulesFile } from "../plan/rules.ts";
import type { Plan, Problem } from "../plan/types.ts";
import { absoluteSearchPath } from "../base/search-path.ts";
import { readSettings, setupOrigin } from "../project/settings.ts";

/** Lints the files on disk against the files at HEAD, on which a run would be based. */
export async function lintWorkTree({ repo, control, env }: Project, plan: string): Promise<PlanReading> {
  const repoFiles = await listPaths(control, (await head(repo)).sha);
  const files = readPlanFilesFromDisk(repo.root, plan);
  const documents = { plan, files, repoFiles };
  let reading = readPlan({ env }, documents);
  // To know what is uncommitted git looks at every file of the checkout, so it is asked only where that explains something.
  if (reading.problems.some(isAboutMissing))
    reading = readPlan({ env }, { ...documents, uncommitted: new Set(await dirtyPaths(repo, ["."])) });
  const own = [...files.keys()].filter((path) => isOfPlan(path, plan) && !repoFiles.has(path));
  const ignored = ignoredProblems(await ignoreRules(repo, own));
  return { ...reading, problems: sortProblems([...reading.problems, ...ignored]) };
}

/** One rule may ignore a whole plan, so each is reported once. */
function ignoredProblems(rules: ReadonlyMap<string, string>): Problem[] {
  const files = new Map([...rules].toReversed().map(([file, rule]) => [rule, file]));
  const start = { line: 1, column: 1 };
  return [...files].map(([rule, file]) =>
    warningAt(file, start, { code: "ignored", message: ignoredWords(file, rule) }),
  );
}

/** Says that git ignores a file of a plan, and what to do. */
export function ignoredWords(file: string, rule: string): string {
  return `git ignores ${file} (${rule}), so no run can have it. Remove that rule`;
}

/** Lints the settings and rules on disk of a project that has no plan yet, as a plan without tasks. */
export function lintSettings({ repo, env }: Project): PlanReading & { readonly plan: Plan } {
  // No plan is named "", so this reads the project's settings alone.
  const files = readPlanFilesFromDisk(repo.root, "");
  const { rules, problems } = parseRules(files);
  const { config, origins, prompts, problems: others } = readSettings({ env }, files);
  const unreadable = unreadableProblems(new Map([...files].filter(([path]) => path !== rulesFile)));
  const none = { checks: [], prerequisites: [], decisions: [], edgeCases: [], taskLines: [], tasks: [] };
  const plan = {
    name: "",
    dir: "plans",
    file: "plans",
    title: "",
    goal: "",
    ...none,
    at: () => ({ line: 1, column: 1 }),
  };
  const all = sortProblems([...problems, ...others, ...unreadable]);
  return { files, plan, rules, config, origins, prompts, hash: "", problems: all };
}

/** Lints the plan of the work tree, and says besides what could be better. */
export async function advisedWorkTree(project: Project, plan: string): Promise<PlanReading> {
  const reading = await lintWorkTree(project, plan);
  return { ...reading, problems: await advisedProblems(project, reading) };
}

/** The problems that lint found in a plan, and its advice. */
export async function advisedProblems(project: Project, reading: PlanReading): Promise<Problem[]> {
  const commit = (await head(project.repo)).sha;
  return sortProblems([...reading.problems, ...(await advicePlan(project, reading, commit))]);
}

/** Advice on a plan, as far as this machine and a commit allow; none for a plan that cannot be parsed. */
export async function advicePlan(
  project: Project,
  reading: Pick<PlanReading, "plan" | "rules" | "config" | "files">,
  commit: string,
): Promise<Problem[]> {
  const { plan, rules, files } = reading;
  if (plan === undefined) return [];
  const repoFiles = await listPaths(project.control, commit);
  return advise({
    plan,
    rules,
    files,
    repoFiles,
    packageScripts: await readPackageScripts(project, commit, repoFiles),
    hasProgram: programFinder(project.env),
    setup: setupLine(project, reading),
  });
}

async function readPackageScripts(
  { control }: Pick<Project, "control">,
  commit: string,
  repoFiles: ReadonlySet<string>,
): Promise<PackageScripts> {
  const isManifest = (path: string) => path.endsWith("package.json") && /(?:^|\/)package\.json$/.test(path);
  const paths = [...repoFiles].filter((path) => isManifest(path) && !path.includes("node_modules/"));
  const scripts = new Map<string, ReadonlySet<string>>();
  for (const [path, bytes] of await readBlobs(control, commit, paths)) {
    const names = scriptNames(bytes.toString("utf8"));
    if (names !== undefined) scripts.set(posix.dirname(path), names);
  }
  return scripts;
}

/** Undefined where the file is not one that npm could read. */
function scriptNames(text: string): ReadonlySet<string> | undefined {
  try {
    const { scripts = {} } = JSON.parse(text) as { scripts?: Readonly<Record<string, unknown>> };
    return new Set(Object.keys(scripts));
  } catch {
    return undefined;
  }
}

/** Looks each program up once: plans call the same few from hundreds of checks. */
export function programFinder(env: NodeJS.ProcessEnv): (name: string) => boolean {
  const path = { PATH: absoluteSearchPath(env["PATH"]) };
  const known = new Map<string, boolean>();
  return (name) => {
    if (!known.has(name)) known.set(name, findProgram({ argv: [name], cwd: "/", env: path }).ok);
    return known.get(name) ?? false;
  };
}

/** Returns the set-up command and where it is set. */
export function setupLine(
  project: Pick<Project, "env">,
  { config, files }: Pick<PlanReading, "config" | "files">,
): SetupLine | undefined {
  const command = config.workspace.setup;
  return command === undefined ? undefined : { command, ...setupOrigin(project, files) };
}
