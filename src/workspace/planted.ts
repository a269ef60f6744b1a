import { createHash } from "node:crypto";
import { lstatSync, readlinkSync, readFileSync } from "node:fs";
import { workspaceLimits } from "./limits.ts";
import { describeSome } from "../checks/describe.ts";
import { couldDecideTests, isForeignProgram } from "../checks/planted.ts";
import type { Untracked } from "./untracked.ts";

/** What set-up made, and the folder in which that is. */
export interface MadeBySetup {
  readonly dir: string;
  readonly made: Untracked;
}

/**
 * Set-up runs the candidate's code, which may leave tests or test settings beside those of the base. Returns which files
 * set-up made that way, unless it makes the same ones without the work; that is checked only if there are any.
 */
export async function whyPlanted(
  room: MadeBySetup,
  withoutWork: () => Promise<MadeBySetup | undefined>,
): Promise<string | undefined> {
  const deciding = decidingFiles(room);
  if (deciding.size === 0) return undefined;
  const reference = await withoutWork();
  const known = reference === undefined ? new Map<string, string>() : decidingFiles(reference);
  const planted = [...deciding].filter(([path, seen]) => known.get(path) !== seen).map(([path]) => path);
  if (planted.length === 0) return undefined;
  return `set-up made ${describeSome(planted)}, which can change the result of tests, and does not make it without the work. Change set-up so that it leaves that alone.`;
}

/** Maps each path to the content of the file, or to where the link leads. */
function decidingFiles({ dir, made }: MadeBySetup): Map<string, string> {
  const found = new Map<string, string>();
  for (const raw of made.keys()) {
    const path = Buffer.from(raw, "latin1").toString("utf8");
    const seen = contentOf(`${dir}/${path}`);
    if (seen === undefined) continue;
    if (couldDecideTests(path) || (seen.startsWith(link) && isForeignProgram(path, seen.slice(link.length))))
      found.set(path, seen);
  }
  return found;
}

const link = "link ";

/** Hashes a file, or names where a link leads. Returns undefined for folders, for missing files, and for names that are not UTF-8, which no runner looks for. */
export function contentOf(file: string): string | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined || stat.isDirectory()) return undefined;
  if (stat.isSymbolicLink()) return `${link}${readlinkSync(file)}`;
  if (!stat.isFile() || stat.size > workspaceLimits.guardedFileBytesMax) return `size ${stat.size}`;
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
