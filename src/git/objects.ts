import type { Control } from "./control.ts";
import { assertOid, joinNul, splitNul } from "./names.ts";
import { gitOk, type GitOptions } from "./run.ts";

export interface Entry {
  readonly mode: string;
  readonly type: "blob" | "commit";
  readonly oid: string;
  readonly path: string;
  /** The number of bytes; it is present only if `sizes` is set, because git must open every object to know. */
  readonly size?: number;
}

/** Lists every file of a commit or tree. */
export async function listTree(
  control: Pick<Control, "dir">,
  commit: string,
  options: { readonly sizes?: boolean; readonly from?: GitOptions } = {},
): Promise<Entry[]> {
  const long = options.sizes ? ["--long"] : [];
  const args = ["ls-tree", "-r", "-z", "--full-tree", ...long, "--end-of-options", assertOid(commit)];
  return splitNul(await gitOk(args, options.from ?? { gitDir: control.dir })).map((line) =>
    parseEntry(line.toString("utf8")),
  );
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

function parseEntry(line: string): Entry {
  const tab = line.indexOf("\t");
  const [mode = "", type = "", oid = "", size] = line.slice(0, tab).split(/ +/);
  const entry = {
    mode,
    type: type === "commit" ? ("commit" as const) : ("blob" as const),
    oid,
    path: line.slice(tab + 1),
  };
  return size === undefined || size === "-" ? entry : { ...entry, size: Number(size) };
}
