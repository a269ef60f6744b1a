import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Control } from "../git/control.ts";
import type { Change } from "../git/diff.ts";
import { joinNul, splitNul } from "../git/names.ts";
import { readObjects } from "../git/objects.ts";
import { git, gitOk, type GitOptions } from "../git/run.ts";
import { pathIn } from "./fingerprint.ts";
import { workspaceLimits } from "./limits.ts";
import { unlock } from "./remove.ts";

/** Why a snapshot may not become a candidate; the folder is kept, so that a person can look at it. */
export interface Problem {
  readonly kind: "nested-repository" | "submodule" | "symlink" | "filtered" | "unreadable" | "name" | "too-large";
  readonly path: string;
  readonly message: string;
}

/** Detects a workspace that is no longer a folder: git would look wherever a link in its place leads. */
export async function problemOfFolder(dir: string): Promise<Problem | null> {
  await unlock(dirname(dir));
  if (await unlock(dir)) return null;
  const message = "The workspace was removed, or replaced by something that is not a folder; it cannot be read safely.";
  return { kind: "unreadable", path: ".", message };
}

/** Reads from git's output what `git add` could not add: files without permission, pipes in place of files, repositories without a commit. */
export function problemsOfAdd(stderr: string): Problem[] {
  const lines = stderr
    .split("\n")
    .filter((line) => /^error: |could not open directory|: Permission denied$/.test(line));
  return lines.map((line) => {
    const message = line.replace(/^(error|warning): /, "");
    const path = (/'(.+)'/.exec(message) ?? /"(.+)"/.exec(message) ?? /^([^:]+):/.exec(message))?.[1] ?? "";
    const nested = line.includes("does not have a commit checked out");
    return { kind: nested ? "nested-repository" : "unreadable", path, message };
  });
}

/** Whether git could read the agent's work but could not write it into our own repository, which is not the work's fault. */
export function isOurDiskAtFault(stderr: string): boolean {
  return /failed to insert into database$|^error: (?:unable to (?:write|create)|insufficient permission for adding)/m.test(
    stderr,
  );
}

/** Finds the file on which git gave up because it is not in the encoding that `.gitattributes` declares. */
export function problemOfEncoding(stderr: string): Problem | null {
  const message = /^fatal: ((?:failed to encode '|BOM is |true\/false are no valid working-tree-enc)[^\n]*)/m.exec(
    stderr,
  )?.[1];
  if (message === undefined) return null;
  return { kind: "unreadable", path: /'(.+)'/.exec(message)?.[1] ?? "", message };
}

/** Finds the raw paths of files that are too large, by their sizes alone: hashing a sparse file of 1 TB would take for ever. */
export async function largeFiles(
  dir: string,
  options: { readonly skip: ReadonlySet<string>; readonly signal?: AbortSignal | undefined },
): Promise<string[]> {
  const found: string[] = [];
  const waiting = [""];
  let count = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesIn(dir, folder)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === ".git" || options.skip.has(path)) continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() && sizeOf(dir, path) > workspaceLimits.candidateFileBytesMax) found.push(path);
      if (++count % entriesPerTurn === 0) {
        await setImmediate();
        options.signal?.throwIfAborted();
      }
    }
  }
  return found.toSorted();
}

/** Returns those of the large files that git would add, by raw path. */
export async function withoutIgnored(place: GitOptions, rawPaths: readonly string[]): Promise<string[]> {
  if (rawPaths.length === 0) return [];
  const stdin = Buffer.from(joinNul(rawPaths), "latin1");
  const asked = await git(["check-ignore", "-z", "--stdin"], { ...place, stdin });
  const ignored = new Set(splitNul(asked.stdout).map((path) => path.toString("latin1")));
  return rawPaths.filter((path) => !ignored.has(path));
}

/** Reports large files as problems; those that set-up made are left out. */
export function problemsOfLargeFiles(rawPaths: readonly string[], exclude: readonly string[]): Problem[] {
  return rawPaths
    .map((path) => Buffer.from(path, "latin1").toString("utf8"))
    .filter((path) => !exclude.includes(path))
    .map((path) => ({
      kind: "too-large",
      path,
      message: `${path} is larger than ${workspaceLimits.candidateFileBytesMax / 1_000_000} MB; it may not be part of a task.`,
    }));
}

/** Finds changes that git can record but that would do harm when checked out. */
export async function problemsOfChanges(control: Control, changes: readonly Change[]): Promise<Problem[]> {
  const links = changes.filter((change) => change.newMode === "120000");
  const targets = await readObjects(
    control,
    links.map((change) => change.newOid),
  );
  const escaping = links.flatMap((change, at) => problemOfLink(change.path, targets[at]?.body.toString("utf8") ?? "/"));
  return [...changes.flatMap((change) => problemOfEntry(change)), ...escaping];
}

/** Finds files that a filter of the user rewrites, as Git LFS and git-crypt do: they are only pointers or ciphertext here. */
export async function problemsOfFilters(
  control: Control,
  changes: readonly Change[],
  indexes: readonly string[],
): Promise<Problem[]> {
  const stdin = joinNul(changes.map((change) => change.path));
  const args = ["check-attr", "-z", "--cached", "--stdin", "filter"];
  const outputs = await Promise.all(indexes.map((index) => gitOk(args, { gitDir: control.dir, index, stdin })));
  const filtered = new Map(outputs.flatMap((output) => filteredPaths(output)));
  return [...filtered].map(([path, filter]) => ({
    kind: "filtered",
    path,
    message: `${path} is stored through the git filter ${filter}, which Stint does not run, so it may not change.`,
  }));
}

/** How many entries are examined between two turns of the event loop. */
const entriesPerTurn = 1_000;

/** Lists a folder; git reports those that cannot be listed. */
function entriesIn(dir: string, folder: string): Dirent[] {
  try {
    return readdirSync(pathIn(dir, folder), { encoding: "latin1", withFileTypes: true });
  } catch {
    return [];
  }
}

function sizeOf(dir: string, rawPath: string): number {
  try {
    return lstatSync(pathIn(dir, rawPath)).size;
  } catch {
    return 0;
  }
}

function problemOfEntry(change: Change): Problem[] {
  const { path } = change;
  if (path.includes("\uFFFD")) return [{ kind: "name", path, message: `The name ${path} is not valid UTF-8.` }];
  if (change.newMode === "160000" && change.status === "A")
    return [
      {
        kind: "nested-repository",
        path,
        message: `${path} is a git repository of its own; nested repositories are refused.`,
      },
    ];
  if (change.newMode === "160000" || change.oldMode === "160000")
    return [{ kind: "submodule", path, message: `Submodule ${path} was changed; submodules may not change.` }];
  if (path.toLowerCase() === ".gitmodules")
    return [{ kind: "submodule", path, message: `${path} was changed; submodules may not change.` }];
  return [];
}

/** Checks where a link leads. Only leading `..` are allowed: one after a name could climb out through another link. */
function problemOfLink(path: string, target: string): Problem[] {
  const refuse = (why: string): Problem[] => [
    { kind: "symlink", path, message: `Symbolic link ${path} → ${target} ${why}.` },
  ];
  if (target.startsWith("/")) return refuse("is absolute");
  const steps = target.split("/").filter((step) => step !== "" && step !== ".");
  const firstName = steps.findIndex((step) => step !== "..");
  const ups = firstName === -1 ? steps.length : firstName;
  if (ups > path.split("/").length - 1) return refuse("leads out of the repository");
  if (steps.slice(ups).includes("..")) return refuse("goes up after going down, which may lead out of the repository");
  if (steps.some((step) => step.toLowerCase() === ".git")) return refuse("leads into .git");
  return [];
}

function filteredPaths(output: Buffer): [string, string][] {
  const fields = splitNul(output).map((field) => field.toString("utf8"));
  const found: [string, string][] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const filter = fields[at + 2] ?? "";
    if (/^(lfs|crypt|git-crypt.*)$/.test(filter)) found.push([fields[at] ?? "", filter]);
  }
  return found;
}
