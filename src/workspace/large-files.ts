import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { joinNul, splitNul } from "../git/names.ts";
import { git, type GitOptions } from "../git/run.ts";
import { workspaceLimits } from "./limits.ts";
import { pathIn } from "./fingerprint.ts";
import type { Problem } from "./refusals.ts";

/** How many entries are examined between two turns of the event loop. */
const entriesPerTurn = 1_000;

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
