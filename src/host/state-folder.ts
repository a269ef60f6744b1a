import { lstatSync, mkdirSync } from "node:fs";
import { fail, ok, type Failure, type Result } from "../result.ts";
import type { Layout } from "./layout.ts";

/** Makes the private folders of a repository, or says why they cannot be trusted: approvals and journals lie here. */
export function ensureStateFolders(layout: Layout): Result<void, Failure<"untrusted-state">> {
  for (const folder of [layout.state, layout.approvals, layout.locks, layout.runs, layout.scratch]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const why = whyUntrusted(folder);
    if (why !== undefined) return fail("untrusted-state", `${folder} ${why}`);
  }
  return ok(undefined);
}

function whyUntrusted(folder: string): string | undefined {
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) return "is not a folder. Move it away, then try again.";
  const own = process.getuid?.();
  if (own !== undefined && stat.uid !== own)
    return `belongs to user ${stat.uid}, not to you. Run \`chown -R ${own}\` on it.`;
  if ((stat.mode & 0o077) !== 0) return "is open to other users. Run `chmod 700` on it, and look who wrote into it.";
  return undefined;
}
