import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { type FilePort, realFiles } from "../journal/file-port.ts";
import { ensureFolder } from "../journal/io.ts";
import { fail, ok, type Failure, type Result } from "../result.ts";
import type { Layout } from "./layout.ts";

export type UntrustedState = Failure<"untrusted-state">;

/** Makes the private folders of a repository, or says why they cannot be trusted: approvals and journals lie here. */
export function ensureStateFolders(layout: Layout): Result<void, UntrustedState | Failure<"in-workspace">> {
  const workspace = workspaceAround(layout);
  if (workspace !== undefined) {
    const what = `${workspace} is a workspace of Stint, not your checkout, and has no plans and no runs of its own.`;
    return fail("in-workspace", `${what} Go back to your checkout (\`cd -\`) and type it there.`);
  }
  return ensurePrivateFolders([layout.state, layout.approvals, layout.locks, layout.runs, layout.scratch]);
}

/** Whoever took a task by hand stands in a clone that looks like the repository. */
function workspaceAround({ state, scratch }: Layout): string | undefined {
  const stintHome = dirname(scratch);
  const isThere = lstatSync(stintHome, { throwIfNoEntry: false }) !== undefined;
  const clone = dirname(dirname(state));
  return isThere && `${clone}${sep}`.startsWith(join(realpathSync(stintHome), sep)) ? clone : undefined;
}

/** Makes folders that only their owner can enter; one that is there already must be so. */
export function ensurePrivateFolders(folders: readonly string[]): Result<void, UntrustedState> {
  for (const folder of folders) {
    ensureFolder(realFiles, folder);
    const flaw = flawOf(folder);
    if (flaw !== undefined) return fail("untrusted-state", `${folder} ${flaw.why}. ${flaw.cure}`);
  }
  return ok(undefined);
}

/** Why a folder is not to be used, as the end of a sentence about it, and the cure. */
export interface FolderFlaw {
  readonly why: string;
  readonly cure: string;
}

const own = process.getuid?.();

/** What keeps private things from being safe in a folder; a folder that is not there yet has no flaw. */
export function flawOf(folder: string, files: FilePort = realFiles): FolderFlaw | undefined {
  const stat = files.stat(folder);
  if (stat === undefined) return undefined;
  if (stat.kind !== "folder") return { why: "is not a folder", cure: "Move it away, then try again." };
  if (own !== undefined && stat.uid !== own)
    return { why: `belongs to user ${stat.uid}, not to you`, cure: `Run \`chown -R ${own}\` on it.` };
  if ((stat.mode & 0o077) !== 0)
    return { why: "is open to other users", cure: "Run `chmod 700` on it, and look who wrote into it." };
  return undefined;
}
