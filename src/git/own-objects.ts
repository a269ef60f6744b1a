import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import type { Control } from "./control.ts";
import type { Change } from "./diff.ts";
import { looseFile, syncFolder } from "./loose-object.ts";
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
  if (await isAllLoose(control, owned)) return;
  const packs = join(control.objectsDir, "pack");
  const args = ["pack-objects", "--revs", "--non-empty", "-q", "--delta-base-offset", join(packs, "pack")];
  const revs = [assertOid(owned.object), ...owned.known.map((commit) => `^${assertOid(commit)}`)];
  const options = owned.signal === undefined ? {} : { signal: owned.signal };
  await gitOk(args, { gitDir: control.dir, stdin: `${revs.join("\n")}\n`, ...options });
  await syncFolder(packs);
}

const [absent, gitlink] = ["000000", "160000"];

/** Looked up without a process; "no" may also mean packed, or reachable from what is known, and costs one. */
async function isAllLoose(control: Control, { tree, changes }: Owned): Promise<boolean> {
  const paths = changes.map((change) => change.path);
  // Such a name is not what its tree says, so its folders would not be found.
  if (paths.some((path) => path.includes("\uFFFD"))) return false;
  const files = changes.filter((change) => change.newMode !== absent && change.newMode !== gitlink);
  if (!files.every((change) => existsSync(looseFile(control, change.newOid)))) return false;
  return areFoldersLoose(control, tree, paths);
}

/** A folder's tree can only be new if something below it changed. */
async function areFoldersLoose(control: Control, tree: string, paths: readonly string[]): Promise<boolean> {
  const body = await readLooseTree(control, tree);
  if (body === null) return false;
  const below = groupByFolder(paths);
  for (const entry of treeEntries(body, control.objectFormat === "sha256" ? 32 : 20)) {
    const inside = entry.isFolder ? below.get(entry.name.toString("utf8")) : undefined;
    if (inside !== undefined && !(await areFoldersLoose(control, entry.oid, inside))) return false;
  }
  return true;
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
