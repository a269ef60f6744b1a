import type { Config, LoadedConfig } from "../config/load.ts";
import { listPaths, listTree, readBlobs, type Entry as TreeEntry } from "../git/objects.ts";
import { planLimits } from "../plan/limits.ts";
import { approvalHash } from "../plan/hash.ts";
import { lintPlan } from "../plan/lint/lint.ts";
import { parsePlan } from "../plan/parse.ts";
import { planFileBytesMax, planPathOf, planPaths } from "../plan/plan-folder.ts";
import { problemAt, sortProblems } from "../plan/problem.ts";
import { isLossy, lossyName } from "../plan/read.ts";
import type { Plan, PlanFile, PlanFiles, Problem, Rules } from "../plan/types.ts";
import type { Prompts } from "../prompts/overrides.ts";
import type { Project } from "../project/project.ts";
import { isHonoured, settingsReaders, shippedAt, type ShippedSettings } from "../agents/repo-settings.ts";
import { readSettings } from "../project/settings.ts";

export interface PlanReading {
  readonly files: PlanFiles;
  readonly hash: string;
  readonly plan: Plan | undefined;
  readonly rules: Rules;
  readonly config: Config;
  /** Where each value comes from. */
  readonly origins: LoadedConfig["origins"];
  readonly prompts: Prompts;
  readonly problems: readonly Problem[];
}

export interface CommittedPlan extends PlanReading {
  readonly shipped: readonly ShippedFile[];
}

/** A committed plan that can be run. */
export interface Ready extends CommittedPlan {
  readonly plan: Plan;
}

/** Settings for agents in the commit; the content of those that are honoured is approved like the plan. */
export interface ShippedFile extends ShippedSettings {
  readonly file?: PlanFile;
}

/** Options that override the settings for one run. */
export interface ReadingFlags {
  readonly budgetUsd?: number;
  readonly parallel?: number;
}

/** The flags among other options; one that was not given is absent. */
export function readingFlags({ budgetUsd, parallel }: { budgetUsd?: number; parallel?: number }): ReadingFlags {
  return { ...(budgetUsd !== undefined && { budgetUsd }), ...(parallel !== undefined && { parallel }) };
}

/**
 * Reads a plan with its rules and settings as they stand in a commit: that, and not the work tree, is what a run executes.
 * A quick plan is in no commit: its documents come with it.
 */
export async function readCommittedPlan(
  project: Project,
  options: {
    readonly commit: string;
    readonly plan: string;
    readonly flags?: ReadingFlags;
    readonly documents?: PlanFiles;
  },
): Promise<CommittedPlan> {
  const { commit, plan, documents = [] } = options;
  const [committed, repoFiles] = await Promise.all([
    readPlanFiles(project, commit, [...planPaths(plan), ".stint"]),
    listPaths(project.control, commit),
  ]);
  const files = new Map([...documents, ...committed]);
  const reading = readPlan(project, { ...options, files, repoFiles });
  const shipped = await shippedAt(project, commit, await settingsReaders(reading.config));
  const honoured = shipped.filter(isHonoured).map(({ path }) => path);
  const settings = await readPlanFiles(project, commit, honoured);
  return {
    ...reading,
    hash: approvalHash(files, plan, settings),
    shipped: shipped.map((one) => withFile(one, settings.get(one.path))),
    problems: sortProblems([...reading.problems, ...unreadableSettings(settings)]),
  };
}

function withFile(shipped: ShippedSettings, file: PlanFile | undefined): ShippedFile {
  return file === undefined ? shipped : { ...shipped, file };
}

/** A file that agents obey and that cannot be shown cannot be approved. */
function unreadableSettings(settings: PlanFiles): Problem[] {
  return [...settings].flatMap(([path, file]) =>
    "unreadable" in file ? [problemAt(path, "unreadable", `${file.unreadable}; agents read it as their settings`)] : [],
  );
}

/** Parses and lints documents that were read from a commit or from the disk. */
export function readPlan(
  project: Pick<Project, "env">,
  input: {
    readonly plan: string;
    readonly files: PlanFiles;
    readonly repoFiles: ReadonlySet<string>;
    readonly uncommitted?: ReadonlySet<string>;
    readonly flags?: ReadingFlags;
  },
): PlanReading {
  const { files, uncommitted } = input;
  // The plan's own folder is committed with the plan, so the files in it can be named.
  const fresh = [...files.keys()].filter((path) => !input.repoFiles.has(path));
  const repoFiles = fresh.length === 0 ? input.repoFiles : new Set([...input.repoFiles, ...fresh]);
  const parsed = parsePlan(files, input.plan);
  const { config, origins, prompts, problems } = readSettings(project, files, input.flags);
  const { plan, rules } = parsed;
  const linted = plan === undefined ? [] : lintPlan({ plan, rules, repoFiles, ...(uncommitted && { uncommitted }) });
  return {
    files,
    plan,
    rules,
    config,
    origins,
    prompts,
    hash: approvalHash(files, input.plan),
    problems: sortProblems([...parsed.problems, ...linted, ...problems]),
  };
}

/** The settings and rules of a commit, as documents. */
export async function readCommittedSettings(project: Project, commit: string): Promise<PlanFiles> {
  return await readPlanFiles(project, commit, [".stint"]);
}

/** True where a plan must not be run. */
export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === "error");
}

/** The sentence that follows the errors of a plan. */
export function errorsIn(plan: string, files: PlanFiles): string {
  return `${planPathOf(plan, (path) => files.has(path))} has errors. Fix them, then try again`;
}

/** Reads these files, and what is in these folders. A folder itself counts, too: one that is committed as a link must not pass for an empty one. */
async function readPlanFiles(project: Project, commit: string, below: readonly string[]): Promise<PlanFiles> {
  const isMeant = ({ path }: TreeEntry) => below.some((one) => `${path}/`.startsWith(`${one}/`));
  const listed = below.length === 0 ? [] : await listTree(project.control, commit, { sizes: true, below });
  const entries = listed.filter(isMeant);
  const files = new Map<string, PlanFile>();
  const readable: TreeEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const why = whyUnreadable(entry) ?? whyTooMuch((bytes += entry.size ?? 0));
    if (why === undefined) readable.push(entry);
    else files.set(entry.path, { unreadable: why });
  }
  const paths = readable.map(({ path }) => path);
  const blobs = await readBlobs(project.control, commit, paths);
  for (const { path, mode } of readable) files.set(path, planFile(blobs.get(path), mode));
  return files;
}

/** A file that git lists and does not give must not drop out of the approval. */
function planFile(bytes: Uint8Array | undefined, mode: string): PlanFile {
  if (bytes === undefined) return { unreadable: "cannot be read from the commit" };
  return mode === "100755" ? { bytes, executable: true } : { bytes };
}

function whyUnreadable({ mode, size, path }: TreeEntry): string | undefined {
  if (isLossy(path)) return lossyName;
  if (/^(?:\.stint|plans\/[^/.]+)$/.test(path)) return "is not a folder";
  if (mode === "120000") return "is a symlink, not a file";
  if (mode === "160000") return "is a submodule, not a file";
  const max = planFileBytesMax(path);
  return (size ?? 0) > max ? `has ${size} bytes; at most ${max} are read` : undefined;
}

function whyTooMuch(bytes: number): string | undefined {
  return bytes > planLimits.planBytesMax
    ? `exceeds the limit of ${planLimits.planBytesMax} bytes for a whole plan`
    : undefined;
}
