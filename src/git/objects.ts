import type { Control } from "./control.ts";
import { gitLimits } from "./limits.ts";
import { assertOid, joinNul } from "./names.ts";
import { gitOk, type GitOptions } from "./run.ts";

export interface Entry {
  readonly mode: string;
  readonly type: "blob" | "commit";
  readonly oid: string;
  readonly path: string;
  /** The number of bytes; it is present only if `sizes` is set, because git must open every object to know. */
  readonly size?: number;
}

interface ListOptions {
  readonly sizes?: boolean;
  readonly from?: GitOptions;
  /** Narrows the list to these files and folders; where a command line cannot name them, everything is listed. */
  readonly below?: readonly string[];
}

/** Lists the files of a commit or tree. */
export async function listTree(
  control: Pick<Control, "dir">,
  commit: string,
  { sizes = false, from = { gitDir: control.dir }, below = [] }: ListOptions = {},
): Promise<Entry[]> {
  const flags = ["-z", "--full-tree", ...(sizes ? ["--long"] : [])];
  const named = canBeNamed(below) ? below : [];
  const args = ["--literal-pathspecs", "ls-tree", "-r", ...flags, "--end-of-options", assertOid(commit), ...named];
  return linesOf(await gitOk(args, from)).map(parseEntry);
}

/** A name that is no UTF-8 was read with replacement characters, by which git would not find it. */
function canBeNamed(paths: readonly string[]): boolean {
  return paths.length <= gitLimits.pathsNamedMax && !paths.some((path) => path.includes("\u{FFFD}"));
}

/**
 * Lists the paths of all files of a commit or tree. A command asks for those of the same commit several times, and a
 * large one takes long to list, so the last few lists are kept.
 */
export async function listPaths(control: Pick<Control, "dir">, commit: string): Promise<ReadonlySet<string>> {
  const key = `${control.dir}\0${assertOid(commit)}`;
  const known = lists.get(key) ?? pathsIn(control, commit);
  lists.delete(key);
  lists.set(key, known);
  for (const old of [...lists.keys()].slice(0, -gitLimits.pathListsKept)) lists.delete(old);
  // Git may fail now and work the next time.
  known.catch(() => lists.delete(key));
  return await known;
}

const lists = new Map<string, Promise<ReadonlySet<string>>>();

async function pathsIn({ dir }: Pick<Control, "dir">, commit: string): Promise<ReadonlySet<string>> {
  const args = ["ls-tree", "-r", "-z", "--full-tree", "--name-only", "--end-of-options", commit];
  return new Set(linesOf(await gitOk(args, { gitDir: dir })));
}

/** Reads these files at a commit in one process; a path that is not a file there is missing from the map. */
export async function readBlobs(
  control: Control,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, Buffer>> {
  assertOid(commit);
  // Git takes `rev:./x` as relative to the current folder; no path of a tree starts like that.
  const names = paths.filter((path) => path !== "" && !/^\.{1,2}\//.test(path) && !path.includes("\0"));
  const objects = await readObjects(
    control,
    names.map((path) => `${commit}:${path}`),
  );
  const blobs = new Map<string, Buffer>();
  objects.forEach((object, at) => {
    if (object?.type === "blob") blobs.set(names[at] ?? "", object.body);
  });
  return blobs;
}

/** Returns the tree of a commit; two commits with the same files have the same tree. */
export async function treeOf(control: Control, commit: string): Promise<string> {
  const name = `${assertOid(commit)}^{tree}`;
  return (await gitOk(["rev-parse", "--verify", "--end-of-options", name], { gitDir: control.dir }))
    .toString("utf8")
    .trim();
}

/** Returns the name of the object at a path of a tree. */
export async function oidAt(control: Control, tree: string, path: string): Promise<string> {
  const name = `${assertOid(tree)}:${path}`;
  return (await gitOk(["rev-parse", "--verify", "--end-of-options", name], { gitDir: control.dir }))
    .toString("utf8")
    .trim();
}

export interface RawObject {
  readonly oid: string;
  readonly type: string;
  readonly body: Buffer;
}

/** Reads objects by any name git understands, in order; null where there is none. */
export async function readObjects(control: Control, names: readonly string[]): Promise<(RawObject | null)[]> {
  if (names.length === 0) return [];
  const bytes = await gitOk(["cat-file", "--batch", "-z"], { gitDir: control.dir, stdin: joinNul(names) });
  const found: (RawObject | null)[] = [];
  let at = 0;
  for (const name of names) {
    // A name may contain newlines, so the whole answer for a missing one is compared.
    const missing = Buffer.from(`${name} missing\n`);
    if (bytes.subarray(at, at + missing.length).equals(missing)) {
      found.push(null);
      at += missing.length;
      continue;
    }
    const end = bytes.indexOf(10, at);
    const [oid = "", type = "", size = ""] = bytes.toString("latin1", at, end).split(" ");
    if (end === -1 || !/^\d+$/.test(size)) throw new Error(`Internal error: expected an object header for ${name}`);
    found.push({ oid, type, body: bytes.subarray(end + 1, end + 1 + Number(size)) });
    at = end + 2 + Number(size);
  }
  return found;
}

/** Returns the commits that are missing, or whose trees are, in a repository and everything it borrows from. */
export async function missingCommits(where: GitOptions, commits: readonly string[]): Promise<string[]> {
  const stdin = commits.map((commit) => `${assertOid(commit)}^{tree}\n`).join("");
  const output = await gitOk(["cat-file", "--batch-check=%(objecttype)"], { ...where, stdin });
  const lines = output.toString("utf8").split("\n");
  return commits.filter((_, at) => lines[at] !== "tree");
}

/** Splits a list that ends each line with NUL; whole, because a list may have 100,000 of them. */
function linesOf(bytes: Buffer): string[] {
  return bytes.toString("utf8").split("\0").slice(0, -1);
}

function parseEntry(line: string): Entry {
  const tab = line.indexOf("\t");
  const [mode = "", type = "", oid = "", ...padded] = line.slice(0, tab).split(" ");
  const path = line.slice(tab + 1);
  const entry = { mode, type: type === "commit" ? ("commit" as const) : ("blob" as const), oid, path };
  const size = padded.at(-1);
  return size === undefined || size === "-" ? entry : { ...entry, size: Number(size) };
}
