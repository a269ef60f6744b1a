import { lstatSync, mkdirSync } from "node:fs";
import { fail, ok, type Failure, type Result } from "../result.ts";
import type { Layout } from "./layout.ts";

export type UntrustedState = Failure<"untrusted-state">;

/** Makes the private folders of a repository, or says why they cannot be trusted: approvals and journals lie here. */
export function ensureStateFolders(layout: Layout): Result<void, UntrustedState> {
  return ensurePrivateFolders([layout.state, layout.approvals, layout.locks, layout.runs, layout.scratch]);
}

/** Makes folders that only their owner can enter; one that is there already must be so. */
export function ensurePrivateFolders(folders: readonly string[]): Result<void, UntrustedState> {
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const why = whyUntrusted(folder);
    if (why !== undefined) return fail("untrusted-state", `${folder} ${why}`);
  }
  return ok(undefined);
}

/** Why nothing private may be kept in a folder, with the cure; undefined where it may, or where there is no such folder. */
export function whyUntrusted(folder: string): string | undefined {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isDirectory()) return "is not a folder. Move it away, then try again.";
  const own = process.getuid?.();
  if (own !== undefined && stat.uid !== own)
    return `belongs to user ${stat.uid}, not to you. Run \`chown -R ${own}\` on it.`;
  if ((stat.mode & 0o077) !== 0) return "is open to other users. Run `chmod 700` on it, and look who wrote into it.";
  return undefined;
}
