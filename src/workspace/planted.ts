import { createHash } from "node:crypto";
import { lstatSync, readlinkSync, readFileSync } from "node:fs";
import { workspaceLimits } from "./limits.ts";
import { describeSome } from "../checks/describe.ts";
import { couldDecideTests, isForeignProgram } from "../checks/planted.ts";
import type { Checkout } from "./checkout.ts";
import type { Untracked } from "./untracked.ts";

/** What set-up made in a checkout. */
export interface MadeBySetup {
  readonly checkout: Checkout;
  readonly made: Untracked;
}

/**
 * Set-up runs the candidate's code, which may leave tests or settings of their runner beside those of the base. Says which
 * files set-up made so, unless it makes the very same without the work; that is looked at only where there are some.
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
  return `set-up made ${describeSome(planted)}, which can decide what tests find, and does not make that without the work. Let set-up leave it alone.`;
}

/** By path: what the file holds, or where the link leads. */
function decidingFiles({ checkout, made }: MadeBySetup): Map<string, string> {
  const found = new Map<string, string>();
  for (const raw of made.keys()) {
    const path = Buffer.from(raw, "latin1").toString("utf8");
    const seen = contentOf(`${checkout.dir}/${path}`);
    if (seen === undefined) continue;
    if (couldDecideTests(path) || (seen.startsWith(link) && isForeignProgram(path, seen.slice(link.length))))
      found.set(path, seen);
  }
  return found;
}

const link = "link ";

/** Undefined for folders and for what is gone or has a name that is not UTF-8, which no runner looks for. */
function contentOf(file: string): string | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined || stat.isDirectory()) return undefined;
  if (stat.isSymbolicLink()) return `${link}${readlinkSync(file)}`;
  if (!stat.isFile() || stat.size > workspaceLimits.guardedFileBytesMax) return `size ${stat.size}`;
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
