import { chmod, lstat, readFile, rm } from "node:fs/promises";
import type { Control } from "../git/control.ts";
import { gitlinkMode, type IndexEntry, parseIndex } from "../git/index-file.ts";
import { gitOk } from "../git/run.ts";
import { type Checkout, inCheckout } from "./checkout.ts";
import { rewriteDotGit } from "./dot-git.ts";
import { expectedOf, type Fingerprint, fingerprints, pathIn } from "./fingerprint.ts";

/** What git wrote where the bytes differ from the object, as with CRLF; learned right after git wrote them. */
const converted = new WeakMap<Checkout, Map<string, Fingerprint>>();

/** Makes every tracked file and `.git` what they were when checked out, and names the files that had changed. */
export async function restoreTree(control: Control, checkout: Checkout): Promise<string[]> {
  const folder = await lstat(checkout.dir);
  if (!folder.isDirectory())
    throw new Error(`${checkout.dir} was replaced by something that is not a folder; it cannot be restored.`);
  const entries = parseIndex(await readFile(checkout.index), control.objectFormat);
  const learned = converted.get(checkout) ?? new Map<string, Fingerprint>();
  const files = entries.filter((entry) => entry.mode !== gitlinkMode);
  const before = await fingerprints(checkout.dir, files, control.objectFormat);
  const suspects = files.filter((entry) => before.get(entry) !== (learned.get(entry.rawPath) ?? expectedOf(entry)));
  if (suspects.length > 0) await putBack(control, checkout, suspects);
  const after = await fingerprints(checkout.dir, suspects, control.objectFormat);
  for (const [entry, now] of after) if (now !== expectedOf(entry)) learned.set(entry.rawPath, now);
  converted.set(checkout, learned);
  await rewriteDotGit(control, checkout);
  const changed = suspects.filter((entry) => before.get(entry) !== after.get(entry));
  return changed.map((entry) => Buffer.from(entry.rawPath, "latin1").toString("utf8"));
}

/** What stands in the way is removed first: git would believe the times of a file and skip it. */
async function putBack(control: Control, checkout: Checkout, suspects: readonly IndexEntry[]): Promise<void> {
  const opened = new Map<string, boolean>([["", true]]);
  for (const entry of suspects) {
    const parent = entry.rawPath.slice(0, Math.max(0, entry.rawPath.lastIndexOf("/")));
    if (await openFolder(checkout.dir, parent, opened)) await removeAny(pathIn(checkout.dir, entry.rawPath));
  }
  const stdin = Buffer.from(suspects.map((entry) => `${entry.rawPath}\0`).join(""), "latin1");
  await gitOk(["checkout-index", "--force", "--index", "-z", "--stdin"], { ...inCheckout(control, checkout), stdin });
}

/** Gives back the permissions a check may have taken away; false when a parent is no real folder, which git then replaces. */
async function openFolder(dir: string, rawPath: string, opened: Map<string, boolean>): Promise<boolean> {
  const known = opened.get(rawPath);
  if (known !== undefined) return known;
  const parent = rawPath.slice(0, Math.max(0, rawPath.lastIndexOf("/")));
  const path = pathIn(dir, rawPath);
  const stat = (await openFolder(dir, parent, opened)) ? await lstat(path).catch(() => null) : null;
  const isFolder = stat?.isDirectory() ?? false;
  if (stat && isFolder && (stat.mode & 0o700) !== 0o700) await chmod(path, stat.mode | 0o700);
  opened.set(rawPath, isFolder);
  return isFolder;
}

async function removeAny(path: string | Buffer): Promise<void> {
  await rm(path, { recursive: true, force: true });
}
