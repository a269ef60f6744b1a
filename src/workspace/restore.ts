import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, rename, rm } from "node:fs/promises";
import type { Control } from "../git/control.ts";
import { gitlinkMode, type IndexEntry } from "../git/index-file.ts";
import { splitNul } from "../git/names.ts";
import { gitOk } from "../git/run.ts";
import { rewriteDotGit, type Checkout } from "./checkout.ts";
import { expectedOf, type Fingerprint, fingerprints, pathIn } from "./fingerprint.ts";
import { readIndex, unprovenIn } from "./private-index.ts";
import { removeTree } from "./remove.ts";

type Fingerprints = ReadonlyMap<IndexEntry, Fingerprint>;

/** Fingerprints of what git writes where the bytes differ from the object, as with CRLF; taken only from folders in which nothing ran. */
const converted = new WeakMap<Checkout, Map<string, Fingerprint>>();

export interface RestoreOptions {
  /**
   * Believe a file's time of last change, which programs cannot set, instead of hashing it again: enough where the next
   * reader is an agent, whose work is checked elsewhere.
   */
  readonly believeTimes?: boolean;
}

/** Restores every tracked file and `.git` to what was checked out, and returns the files that had changed. */
export async function restoreTree(
  control: Control,
  checkout: Checkout,
  options: RestoreOptions = {},
): Promise<string[]> {
  const folder = await lstat(checkout.dir);
  if (!folder.isDirectory())
    throw new Error(`${checkout.dir} was replaced by something that is not a folder; it cannot be restored.`);
  const index = await readIndex(checkout, control.objectFormat);
  const { entries } = index;
  const tracked = entries.filter((entry) => entry.mode !== gitlinkMode);
  const files = options.believeTimes === true ? await unprovenIn(index, tracked) : tracked;
  const learned = converted.get(checkout);
  // Until it is known what git writes for them, bytes that equal the object prove nothing.
  const unsure = learned === undefined ? await convertible(control, checkout.index, files) : new Set<IndexEntry>();
  const before = await fingerprints(checkout.dir, files, control.objectFormat);
  const suspects = files.filter(
    (entry) => unsure.has(entry) || before.get(entry) !== (learned?.get(entry.rawPath) ?? expectedOf(entry)),
  );
  const changed = suspects.length === 0 ? [] : await putBack(control, checkout, { suspects, before });
  const ensureFolder = folderMaker(checkout.dir);
  for (const entry of entries) if (entry.mode === gitlinkMode) await ensureFolder(entry.rawPath);
  await rewriteDotGit(control, checkout);
  return changed.map((entry) => Buffer.from(entry.rawPath, "latin1").toString("utf8"));
}

/** Finds files for which git may write other bytes than their objects have, because of settings or tracked attributes. */
async function convertible(
  control: Control,
  index: string,
  files: readonly IndexEntry[],
): Promise<ReadonlySet<IndexEntry>> {
  if (writesCrlf(control)) return new Set(files);
  if (!files.some((entry) => entry.rawPath.endsWith(".gitattributes"))) return new Set();
  const stdin = Buffer.from(files.map((entry) => `${entry.rawPath}\0`).join(""), "latin1");
  const args = ["check-attr", "-z", "--cached", "--stdin", ...convertingAttributes];
  const fields = splitNul(await gitOk(args, { gitDir: control.dir, index, stdin }));
  const named = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const value = fields[at + 2]?.toString("latin1") ?? "";
    if (!["unspecified", "unset", "lf"].includes(value)) named.add(fields[at]?.toString("latin1") ?? "");
  }
  return new Set(files.filter((entry) => named.has(entry.rawPath)));
}

const convertingAttributes = ["working-tree-encoding", "ident", "eol"];

function writesCrlf({ settings }: Control): boolean {
  const autocrlf = (settings["autocrlf"] ?? "").toLowerCase();
  const eol = (settings["eol"] ?? "").toLowerCase();
  return !["", "input", "false", "no", "off", "0"].includes(autocrlf) || !["", "lf", "native"].includes(eol);
}

/** Replaces those suspects that are not what git writes, and returns them. */
async function putBack(
  control: Control,
  checkout: Checkout,
  { suspects, before }: { readonly suspects: readonly IndexEntry[]; readonly before: Fingerprints },
): Promise<IndexEntry[]> {
  const aside = `${checkout.dir}.aside-${randomBytes(6).toString("hex")}`;
  await mkdir(aside, { mode: 0o700 });
  try {
    await writeAside(control, { index: checkout.index, aside }, suspects);
    const right = await fingerprints(aside, suspects, control.objectFormat);
    learn(checkout, right);
    const changed = suspects.filter((entry) => before.get(entry) !== right.get(entry));
    await moveIn(aside, checkout.dir, changed);
    const after = await fingerprints(checkout.dir, changed, control.objectFormat);
    const wrong = changed.find((entry) => after.get(entry) !== right.get(entry));
    if (wrong !== undefined) throw new Error(`${wrong.rawPath} in ${checkout.dir} could not be restored.`);
    return changed;
  } finally {
    await removeTree(aside);
  }
}

/** Writes files into an empty folder: in the checkout, git would obey any `.gitattributes` there and convert what it writes. */
async function writeAside(
  control: Control,
  { index, aside }: { readonly index: string; readonly aside: string },
  suspects: readonly IndexEntry[],
): Promise<void> {
  const stdin = Buffer.from(suspects.map((entry) => `${entry.rawPath}\0`).join(""), "latin1");
  const place = { gitDir: control.dir, workTree: aside, cwd: aside, index };
  await gitOk(["checkout-index", "--force", "-z", "--stdin"], { ...place, stdin });
}

function learn(checkout: Checkout, right: Fingerprints): void {
  const learned = converted.get(checkout) ?? new Map<string, Fingerprint>();
  for (const [entry, written] of right) if (written !== expectedOf(entry)) learned.set(entry.rawPath, written);
  converted.set(checkout, learned);
}

async function moveIn(aside: string, dir: string, entries: readonly IndexEntry[]): Promise<void> {
  const ensureFolder = folderMaker(dir);
  for (const { rawPath } of entries) {
    await ensureFolder(parentOf(rawPath));
    await rm(pathIn(dir, rawPath), { recursive: true, force: true });
    await rename(pathIn(aside, rawPath), pathIn(dir, rawPath));
  }
}

/** Restores folders that a check replaced by something else, and permissions that it took away. */
function folderMaker(dir: string): (rawPath: string) => Promise<void> {
  const made = new Set<string>([""]);
  const ensure = async (rawPath: string): Promise<void> => {
    if (made.has(rawPath)) return;
    await ensure(parentOf(rawPath));
    const path = pathIn(dir, rawPath);
    const stat = await lstat(path).catch(() => null);
    if (!stat?.isDirectory()) {
      await rm(path, { force: true });
      await mkdir(path);
    } else if ((stat.mode & 0o700) !== 0o700) await chmod(path, stat.mode | 0o700);
    made.add(rawPath);
  };
  return ensure;
}

function parentOf(rawPath: string): string {
  return rawPath.slice(0, Math.max(0, rawPath.lastIndexOf("/")));
}
