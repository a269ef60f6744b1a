import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { diskFault, nearestFolder } from "../base/disk-fault.ts";
import { listPaths, readBlobs } from "../git/objects.ts";
import { dirtyPaths } from "../git/user-commit.ts";
import { head } from "../git/user-repo.ts";
import { checksLimits } from "../checks/limits.ts";
import { approvedBytes } from "../plan/hash.ts";
import { isOfPlan, planPaths } from "../plan/plan-folder.ts";
import { readPlanFilesFromDisk } from "../plan/read.ts";
import type { PlanFile, PlanFiles } from "../plan/types.ts";
import { visible } from "../base/visible.ts";
import { fail, messageOf, ok, systemReason, type Failure, type Result } from "../base/result.ts";
import type { Project } from "../project/project.ts";

/** A plan's documents, and what in the checkout they may replace. */
export interface HandedOver {
  readonly plan: string;
  /** The files to write, by path in the repository. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
  /** Whether a plan that is already there may change. */
  readonly replace: boolean;
  /** The plan that is revised: a file with the bytes that it or HEAD has is not unsaved work. */
  readonly standing?: PlanFiles;
  /** What to type after a fault of the disk is fixed; a planning session is resumed. */
  readonly again?: string;
}

type Refused = Failure<"in-the-way" | "exists" | "unsaved" | "io">;

/**
 * Writes a plan's documents to the user's checkout and returns the paths that it wrote or removed. It never follows links
 * and never overwrites unsaved work. After a kill, doing it again completes it: plan.md comes last.
 */
export async function handToCheckout(
  project: Project,
  handed: HandedOver,
): Promise<Result<readonly string[], Refused>> {
  const { root } = project.repo;
  const present = presentFiles(root, handed.plan);
  const obstacle = obstacleTo(handed, present);
  if (obstacle !== undefined) return fail("in-the-way", obstacle);
  const written = [...handed.documents.keys()].filter((path) => !isAt(present, path, handed.documents.get(path)));
  const removed = handed.replace ? removedPaths(handed, present) : [];
  const foreign = handed.replace
    ? []
    : [...present.keys()].filter((path) => !isAt(present, path, handed.documents.get(path)));
  if (foreign.length > 0) return fail("exists", alreadyThere(handed.plan, foreign));
  const lost = await unsaved(project, {
    handed,
    present,
    paths: [...written.filter((path) => present.has(path)), ...removed],
  });
  if (lost.length > 0) return fail("unsaved", wouldBeLost(lost));
  try {
    for (const path of planLast(written))
      write(root, path, { bytes: handed.documents.get(path)!, isNew: !present.has(path) });
    for (const path of removed) rmSync(join(root, path), { force: true });
    return ok([...written, ...removed].toSorted());
  } catch (error) {
    return fail("io", couldNot(handed, root, error));
  }
}

const partSuffix = ".stint-part";

/** Reads the plan's folder, and its one file if it has that form; a link or a device in it counts as unreadable. */
function presentFiles(root: string, plan: string): PlanFiles {
  const files = [...readPlanFilesFromDisk(root, plan)];
  return new Map(files.filter(([path]) => isOfPlan(path, plan) && !path.endsWith(partSuffix)));
}

/** Finds what is no file where a document goes, or no folder where one has to be. */
function obstacleTo({ plan, documents }: HandedOver, present: PlanFiles): string | undefined {
  for (const path of [`plans/${plan}`, ...documents.keys()]) {
    const inTheWay = [path, ...foldersOf(path)].find((place) => isObstacle(place, path, present));
    if (inTheWay === undefined) continue;
    const file = present.get(inTheWay);
    const why = file !== undefined && "unreadable" in file ? file.unreadable : "is not a folder";
    return `${visible(inTheWay)}: ${why}. Nothing was written. Move it away, then try again.`;
  }
  return undefined;
}

function isObstacle(place: string, path: string, present: PlanFiles): boolean {
  const file = present.get(place);
  return file !== undefined && (place !== path || "unreadable" in file);
}

function foldersOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

function isAt(present: PlanFiles, path: string, bytes: Uint8Array | undefined): boolean {
  const file = present.get(path);
  return bytes !== undefined && file !== undefined && isSame(file, bytes);
}

function isSame(file: PlanFile, bytes: Uint8Array): boolean {
  return "bytes" in file && Buffer.from(file.bytes).equals(Buffer.from(bytes));
}

/** Lists the files that a revision no longer has; files that the plan never had are the user's own. */
function removedPaths({ documents, standing }: HandedOver, present: PlanFiles): string[] {
  return [...present.keys()].filter((path) => {
    const isOurs = standing === undefined ? /\/(?:tasks\/[^/]+|proposed-rules)\.md$/.test(path) : standing.has(path);
    return isOurs && !documents.has(path);
  });
}

/** Lists the files whose content would be lost by overwriting or removing them. */
async function unsaved(
  { repo, control }: Project,
  {
    handed,
    present,
    paths,
  }: { readonly handed: HandedOver; readonly present: PlanFiles; readonly paths: readonly string[] },
): Promise<string[]> {
  if (paths.length === 0) return [];
  const { sha } = await head(repo);
  const committed = await readBlobs(control, sha, paths);
  const tracked = await listPaths(control, sha);
  const dirty = new Set(await dirtyPaths(repo, planPaths(handed.plan)));
  return paths.filter((path) => {
    const stood = handed.standing?.get(path);
    const known = [committed.get(path), stood !== undefined && "bytes" in stood ? stood.bytes : undefined];
    // Git itself calls a file clean that differs only in line endings.
    const isClean = tracked.has(path) && !dirty.has(path);
    return !isClean && !known.some((bytes) => bytes !== undefined && isAsApproved(present.get(path)!, path, bytes));
  });
}

/** Compares without ticks, which only Stint makes. */
function isAsApproved(file: PlanFile, path: string, bytes: Uint8Array): boolean {
  return (
    "bytes" in file && Buffer.from(approvedBytes(path, file.bytes)).equals(Buffer.from(approvedBytes(path, bytes)))
  );
}

function planLast(paths: readonly string[]): string[] {
  const isHead = (path: string): boolean => /^plans\/[^/]+\/plan\.md$/.test(path);
  return [...paths.filter((path) => !isHead(path)), ...paths.filter(isHead)];
}

/** Writes a file atomically; the temporary name is always the same, so that a second try leaves nothing of the first. */
function write(
  root: string,
  path: string,
  { bytes, isNew }: { readonly bytes: Uint8Array; readonly isNew: boolean },
): void {
  const target = join(root, path);
  const aside = `${target}${partSuffix}`;
  mkdirSync(dirname(target), { recursive: true });
  rmSync(aside, { force: true });
  const descriptor = openSync(aside, "wx", 0o644);
  try {
    writeFileSync(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  if (!isNew) return renameSync(aside, target);
  try {
    linkSync(aside, target);
  } finally {
    unlinkSync(aside);
  }
}

function alreadyThere(plan: string, paths: readonly string[]): string {
  return `plans/${plan} already exists and is different:\n${listed(paths)}\nNothing was written. Choose another name with \`--name\`, or change that plan with \`stint plan --revise "…" ${plan}\`.`;
}

function wouldBeLost(paths: readonly string[]): string {
  return `These files have uncommitted changes that the revision would overwrite:\n${listed(paths)}\nNothing was written. Commit or move them, then run \`stint plan --continue\`.`;
}

function listed(paths: readonly string[]): string {
  const more =
    paths.length > checksLimits.pathsNamedMax ? [`  and ${paths.length - checksLimits.pathsNamedMax} more`] : [];
  return [...paths.slice(0, checksLimits.pathsNamedMax).map((path) => `  ${visible(path)}`), ...more].join("\n");
}

function couldNot({ plan, again = "stint plan --continue" }: HandedOver, root: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  const isDenied = code === "EACCES" || code === "EPERM";
  const folder = nearestFolder(join(root, "plans", plan));
  const fault = diskFault([folder]);
  const why = fault ?? (isDenied ? `Give your user write access to ${visible(folder)}` : "Fix that");
  const reason = isDenied ? systemReason(error) : messageOf(error);
  return `plans/${plan} could not be written: ${visible(reason)}. ${why}, then run \`${again}\`.`;
}
