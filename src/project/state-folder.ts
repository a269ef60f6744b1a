import { existsSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { FolderFlaw } from "../base/folder-access.ts";
import { type FilePort, realFiles } from "../journal/file-port.ts";
import { ensureFolder, ioErrorOf } from "../journal/io.ts";
import { fail, ok, systemReason, type Failure, type Result } from "../base/result.ts";
import type { Paths } from "./paths.ts";

export type UntrustedState = Failure<"untrusted-state">;

/** Creates the private folders of a repository, or says why they cannot be trusted: approvals and journals are kept here. */
export function ensureStateFolders(paths: Paths): Result<void, UntrustedState | Failure<"in-workspace">> {
  const workspace = workspaceAround(paths);
  if (workspace !== undefined) {
    const what = `${workspace} is one of Stint's workspaces, not your checkout; it has no plans or runs of its own.`;
    return fail("in-workspace", `${what} Go back to your checkout (\`cd -\`) and run the command there.`);
  }
  const inRepo = ensurePrivateFolders([paths.state, paths.approvals, paths.locks, paths.runs, paths.planningSessions]);
  return inRepo.ok ? ensurePrivateFolders([paths.scratch], "set HOME or XDG_STATE_HOME to a folder of yours") : inRepo;
}

/** Whoever took a task by hand stands in a clone that looks like the repository. */
function workspaceAround({ state, scratch }: Paths): string | undefined {
  const stintHome = dirname(scratch);
  // A folder that cannot be read has no workspace of this user.
  const isThere = existsSync(stintHome);
  const clone = dirname(dirname(state));
  return isThere && `${clone}${sep}`.startsWith(join(realpathSync(stintHome), sep)) ? clone : undefined;
}

/** Creates folders that only their owner can enter, and checks those that exist. `orElse` is advice where one cannot be created. */
export function ensurePrivateFolders(folders: readonly string[], orElse = ""): Result<void, UntrustedState> {
  for (const folder of folders) {
    const made = makeFolder(folder, orElse);
    if (!made.ok) return made;
    const flaw = flawOf(folder);
    if (flaw !== undefined) return fail("untrusted-state", `${folder} ${flaw.why}. ${flaw.cure}`);
  }
  return ok(undefined);
}

/** The advice for a full or read-only disk comes with every system error. */
function makeFolder(folder: string, orElse: string): Result<void, UntrustedState> {
  try {
    return ok(ensureFolder(realFiles, folder));
  } catch (error) {
    const { code } = ioErrorOf(error);
    const cures: Readonly<Record<string, string>> = {
      EACCES: waysOut(above(folder), orElse),
      ENOTDIR: ` ${above(folder)} is not a folder: move it away.`,
    };
    const what = `${folder} cannot be created (${systemReason(error)}); Stint keeps its state there.`;
    return fail("untrusted-state", `${what}${cures[code] ?? ""}`);
  }
}

/** Nobody is asked to open the root of the file system. */
function waysOut(parent: string, orElse: string): string {
  const ways = [parent === "/" ? "" : `give your user write access to ${parent}`, orElse];
  const [first = "", ...others] = ways.filter((way) => way !== "");
  return first === "" ? "" : ` ${[`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...others].join(", or ")}.`;
}

/** Returns the nearest folder above that exists. */
function above(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(parent) ? parent : above(parent);
}

const own = process.getuid?.();

/** What makes a folder unsafe for private files. One that does not exist yet has no flaw. */
export function flawOf(folder: string, files: FilePort = realFiles): FolderFlaw | undefined {
  const stat = files.stat(folder);
  if (stat === undefined) return undefined;
  if (stat.kind !== "folder") return { why: "is not a folder", cure: "Move it away, then try again." };
  if (own !== undefined && stat.uid !== own)
    return { why: `belongs to user ${stat.uid}, not to you`, cure: `Run \`chown -R ${own}\` on it.` };
  if ((stat.mode & 0o077) !== 0)
    return { why: "is open to other users", cure: "Run `chmod 700` on it, and check who wrote to it." };
  return undefined;
}
