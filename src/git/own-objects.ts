import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import type { Control } from "./control.ts";
import type { Change } from "./diff.ts";
import { looseFile, syncFolder, syncNames } from "./loose-object.ts";
import { assertOid } from "./names.ts";
import { gitOk } from "./run.ts";
import { treeEntries } from "./tree-object.ts";

/** What the control repository is to hold itself. */
export interface Owned {
  /** A commit or tree. */
  readonly object: string;
  /** Its tree. */
  readonly tree: string;
  /** How `tree` differs from one of `known`. */
  readonly changes: readonly Change[];
  /** Commits that are kept alive already. */
  readonly known: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the control repository hold every object that is new. Git does not write what it finds in the user's
 * repository, and there `gc` deletes what nothing of the user's reaches: a file staged once and reset, for example.
 */
export async function ownObjects(control: Control, owned: Owned): Promise<void> {
  const loose = await looseObjects(control, owned);
  if (loose !== null) return await syncNames(control, loose);
  const packs = join(control.objectsDir, "pack");
  const args = ["pack-objects", "--revs", "--non-empty", "-q", "--delta-base-offset", join(packs, "pack")];
  const revs = [assertOid(owned.object), ...owned.known.map((commit) => `^${assertOid(commit)}`)];
  const options = owned.signal === undefined ? {} : { signal: owned.signal };
  await gitOk(args, { gitDir: control.dir, stdin: `${revs.join("\n")}\n`, ...options });
  await syncFolder(packs);
}

const [absent, gitlink] = ["000000", "160000"];

/** The new ones, if all are unpacked, looked up without a process; null may also mean packed, or reachable from what is known, and costs one. */
async function looseObjects(control: Control, { tree, changes }: Owned): Promise<string[] | null> {
  const paths = changes.map((change) => change.path);
  // Such a name is not what its tree says, so its folders would not be found.
  if (paths.some((path) => path.includes("\uFFFD"))) return null;
  const files = changes.filter((change) => change.newMode !== absent && change.newMode !== gitlink);
  const blobs = files.map((change) => change.newOid);
  if (!blobs.every((oid) => existsSync(looseFile(control, oid)))) return null;
  const folders = await looseFolders(control, tree, paths);
  return folders === null ? null : [...blobs, ...folders];
}

/** A folder's tree can only be new if something below it changed. */
async function looseFolders(control: Control, tree: string, paths: readonly string[]): Promise<string[] | null> {
  const body = await readLooseTree(control, tree);
  if (body === null) return null;
  const found = [tree];
  const below = groupByFolder(paths);
  for (const entry of treeEntries(body, control.objectFormat === "sha256" ? 32 : 20)) {
    const inside = entry.isFolder ? below.get(entry.name.toString("utf8")) : undefined;
    const folders = inside === undefined ? [] : await looseFolders(control, entry.oid, inside);
    if (folders === null) return null;
    found.push(...folders);
  }
  return found;
}

function groupByFolder(paths: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const slash = path.indexOf("/");
    if (slash === -1) continue;
    const inside = groups.get(path.slice(0, slash)) ?? [];
    inside.push(path.slice(slash + 1));
    groups.set(path.slice(0, slash), inside);
  }
  return groups;
}

const decompress = promisify<Uint8Array, Buffer>(inflate);

async function readLooseTree(control: Control, oid: string): Promise<Buffer | null> {
  try {
    const bytes = await decompress(await readFile(looseFile(control, oid)));
    return bytes.subarray(bytes.indexOf(0) + 1);
  } catch {
    return null;
  }
}
