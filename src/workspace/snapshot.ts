import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Control } from "../git/control.ts";
import type { Change } from "../git/diff.ts";
import { gitlinkMode, type IndexEntry } from "../git/index-file.ts";
import { assertOid, type Identity, joinNul, splitNul } from "../git/names.ts";
import { readObjects } from "../git/objects.ts";
import { compareAndSwapRef, readRef } from "../git/refs.ts";
import { git, GitError, gitOk, type GitOptions } from "../git/run.ts";
import { changesWithFolders, commitTree, keepTree } from "../git/write-objects.ts";
import { type Checkout, inCheckout, rebuildIndex } from "./checkout.ts";
import { inLayer, withoutRights } from "../sandbox/layer.ts";
import { changesInLayer, type LayerChanges, submodulesInLayer } from "./layer-changes.ts";
import type { Below } from "./layered.ts";
import { copyForAdd, readIndex, unprovenIn } from "./private-index.ts";
import {
  isOurDiskAtFault,
  largeFiles,
  type Problem,
  problemOfEncoding,
  problemOfFolder,
  problemsOfAdd,
  problemsOfChanges,
  problemsOfFilters,
  problemsOfLargeFiles,
  withoutIgnored,
} from "./refusals.ts";
import { problemsOfSubmodules } from "./submodules.ts";

export interface SnapshotOptions {
  /** The commit that was checked out, which becomes the parent of the candidate. */
  readonly base: string;
  readonly message: string;
  readonly identity: Identity;
  /** Where the work is kept, such as refs/stint/rescue/<run>/<task>/<n>. */
  readonly ref: string;
  readonly at: Date;
  /** Files that set-up made; they are not the agent's. */
  readonly exclude?: readonly string[];
  /** What lies below the checkout, if only the changes are in it. */
  readonly below?: Below | undefined;
  /** Aborts the snapshot; it can be taken again. */
  readonly signal?: AbortSignal;
}

/** The agent's work. With problems it is kept, as far as git could add it, but it is not a candidate. */
export interface Snapshot {
  /** The base itself when nothing changed. */
  readonly commit: string;
  readonly tree: string;
  readonly changes: readonly Change[];
  readonly empty: boolean;
  readonly problems: readonly Problem[];
}

type Place = ReturnType<typeof inCheckout> & Pick<GitOptions, "signal" | "enter">;

/** Turns the files of a checkout into a commit on its base, honouring nothing of its `.git`, and keeps it under `ref`. */
export async function snapshot(control: Control, checkout: Checkout, options: SnapshotOptions): Promise<Snapshot> {
  const unusable = await problemOfFolder(checkout.dir);
  if (unusable !== null) return nothingTaken(control, options.base, unusable);
  const old = await readRef(control, options.ref);
  const { place, known, changed } = await privateIndex(control, checkout, options);
  try {
    const found = await stage(place, { known, changed, ...options });
    const { tree, changes, withFolders } = await compare(control, place, options.base);
    const problems = [
      ...found,
      ...(await refusals(control, { changes, known, indexes: [checkout.index, place.index] })),
    ];
    if (changes.length === 0) return { commit: options.base, tree, changes, empty: true, problems };
    const commit = await keep(control, { tree, withFolders, old }, options);
    return { commit, tree, changes, empty: false, problems };
  } finally {
    await rm(place.index, { force: true });
    await rm(`${place.index}.lock`, { force: true });
  }
}

/** Lists the paths of a checkout that differ from its commit, honouring nothing of its `.git`; nothing of them is kept. */
export async function dirtyPathsIn(
  control: Control,
  checkout: Checkout,
  { exclude, signal }: { readonly exclude: readonly string[]; readonly signal: AbortSignal },
): Promise<string[]> {
  const unusable = await problemOfFolder(checkout.dir);
  if (unusable !== null) return [unusable.path];
  const { place, known } = await privateIndex(control, checkout, { signal });
  try {
    const left = await stage(place, { known, exclude });
    const { changes } = await compare(control, place, checkout.commit);
    return [...new Set([...changes, ...left].map(({ path }) => path))].toSorted();
  } finally {
    await rm(place.index, { force: true });
    await rm(`${place.index}.lock`, { force: true });
  }
}

/** Lists files that are neither tracked nor ignored; after set-up, they are what set-up made. */
export async function untrackedPaths(control: Control, checkout: Checkout): Promise<string[]> {
  const args = ["ls-files", "--others", "--exclude-standard", "-z"];
  return splitNul(await gitOk(args, inCheckout(control, checkout))).map((path) => path.toString("utf8"));
}

async function nothingTaken(control: Control, base: string, problem: Problem): Promise<Snapshot> {
  const [tree] = await readObjects(control, [`${assertOid(base)}^{tree}`]);
  if (!tree) throw new Error(`Internal error: expected a commit ${base} in the control repository`);
  return { commit: base, tree: tree.oid, changes: [], empty: true, problems: [problem] };
}

/** Copies the index, so that a snapshot can be taken again and nothing of a failed one stays. */
async function privateIndex(
  control: Control,
  checkout: Checkout,
  { signal, below }: Pick<SnapshotOptions, "signal" | "below">,
): Promise<{ place: Place; known: IndexEntry[]; changed?: LayerChanges }> {
  const index = `${checkout.index}.${randomBytes(6).toString("hex")}`;
  const place = { ...inCheckout(control, checkout), index, ...(signal === undefined ? {} : { signal }) };
  const format = control.objectFormat;
  if (below !== undefined) {
    const { files, layers } = below;
    const layer = { upper: checkout.dir, lower: files.tree };
    const enter = (argv: readonly string[]) => inLayer(layers, layer, withoutRights(layers, argv));
    const old = await readIndex(checkout, format);
    const changed = await changesInLayer(layers, { ...layer, entries: old.entries });
    const unproven = old.entries.filter(({ rawPath }) => changed.touched.has(rawPath));
    await copyForAdd(old, index, { format, unproven });
    return { place: { ...place, enter }, known: old.entries, changed };
  }
  const copy = async (): Promise<IndexEntry[]> => {
    const old = await readIndex(checkout, format);
    await copyForAdd(old, index, { format, unproven: await unprovenIn(old) });
    return old.entries;
  };
  const known = await copy().catch(async () => {
    await rm(index, { force: true });
    await rebuildIndex(control, checkout);
    return copy();
  });
  return { place, known };
}

async function stage(
  place: Place,
  {
    known,
    changed,
    below,
    exclude = [],
  }: Pick<SnapshotOptions, "below" | "exclude"> & {
    readonly known: readonly IndexEntry[];
    readonly changed?: LayerChanges | undefined;
  },
): Promise<Problem[]> {
  const links = new Set(known.filter((entry) => entry.mode === gitlinkMode).map((entry) => entry.rawPath));
  const submodules =
    below === undefined
      ? await problemsOfSubmodules(place.workTree, known)
      : await submodulesInLayer(below.layers, { upper: place.workTree, lower: below.files.tree, entries: known });
  const large = await withoutIgnored(place, await largeFiles(place.workTree, { skip: links, signal: place.signal }));
  // Filled submodules are left out of the call altogether: git would run `status` inside them.
  const repositories =
    below === undefined ? submodules.map(({ path }) => rawOf(path)) : [...links, ...repositoriesIn(exclude)];
  const problems = await add(place, { left: [...repositories, ...large], only: changed?.paths });
  await unstage(place, exclude);
  return [...submodules, ...problemsOfLargeFiles(large, exclude), ...problems];
}

/** Lists the repositories that set-up made; in a layer they are seen without their `.git`, as if their files were the agent's. */
function repositoriesIn(exclude: readonly string[]): string[] {
  return exclude.filter((path) => path.endsWith("/")).map((path) => rawOf(path.slice(0, -1)));
}

/** How many files in a wrong encoding are left out one by one, so that the rest is saved. */
const encodingRounds = 10;

/** Adds all that changed; paths are raw. */
interface Adding {
  /** What is left out. */
  readonly left: readonly string[];
  /** Where to look; undefined means everywhere. */
  readonly only?: readonly string[] | undefined;
}

async function add(place: Place, { left, only }: Adding, rounds = encodingRounds): Promise<Problem[]> {
  if (only?.length === 0) return [];
  const isEverywhere = only === undefined && left.length === 0;
  const pathspecs = isEverywhere ? [] : ["--pathspec-from-file=-", "--pathspec-file-nul"];
  const args = ["add", "--all", "--ignore-errors", ...pathspecs];
  const wanted = only === undefined ? [":(top)"] : only.map((path) => `:(top,literal)${path}`);
  const list = joinNul([...wanted, ...left.map((path) => `:(top,literal,exclude)${path}`)]);
  const input = isEverywhere ? {} : { stdin: Buffer.from(list, "latin1") };
  const added = await git(args, { ...place, ...input });
  const wrong = added.code > 1 ? problemOfEncoding(added.stderr) : null;
  if (isOurDiskAtFault(added.stderr)) throw new GitError(args, added);
  if (wrong !== null)
    return wrong.path === "" || rounds === 0
      ? [wrong]
      : [wrong, ...(await add(place, { left: [...left, rawOf(wrong.path)], only }, rounds - 1))];
  const problems = problemsOfAdd(added.stderr);
  // Git also exits with 1 if a path is ignored, be it to leave out or to look at, and has added all the rest.
  const explained = problems.length > 0 || added.stderr.includes("paths are ignored by one of your .gitignore files");
  if (added.code > 1 || (added.code === 1 && !explained)) throw new GitError(args, added);
  return problems;
}

function rawOf(path: string): string {
  return Buffer.from(path).toString("latin1");
}

async function unstage(place: Place, exclude: readonly string[]): Promise<void> {
  if (exclude.length === 0) return;
  const stdin = joinNul(exclude.map((path) => path.replace(/\/$/, "")));
  await gitOk(["update-index", "--force-remove", "-z", "--stdin"], { ...place, stdin });
}

/** Writes the tree and compares it with the base; one call of git lists files for the checks and folders to be kept. */
async function compare(
  control: Control,
  place: Place,
  base: string,
): Promise<{ tree: string; changes: Change[]; withFolders: Change[] }> {
  const tree = (await gitOk(["write-tree"], place)).toString("utf8").trim();
  const withFolders = await changesWithFolders(control, base, tree);
  return { tree, changes: withFolders.filter((change) => !isFolder(change)), withFolders };
}

const folderMode = "040000";

/** Whether a folder changed, or one came or went; a file in the place of a folder is listed by itself. */
function isFolder({ oldMode, newMode }: Change): boolean {
  return oldMode === folderMode || newMode === folderMode;
}

async function refusals(
  control: Control,
  facts: {
    readonly changes: readonly Change[];
    readonly known: readonly IndexEntry[];
    readonly indexes: readonly string[];
  },
): Promise<Problem[]> {
  const { changes, known } = facts;
  const newAttributes = changes.some((change) => change.path.endsWith(".gitattributes"));
  const oldAttributes = known.some((entry) => entry.rawPath.endsWith(".gitattributes"));
  // Both indexes are checked if the agent changed the attributes: neither adding nor dropping a filter may hide a change.
  const indexes = facts.indexes.filter((_, at) => (at === 0 ? oldAttributes : newAttributes));
  const asked = changes.length === 0 ? [] : indexes;
  const [ofChanges, ofFilters] = await Promise.all([
    problemsOfChanges(control, changes),
    problemsOfFilters(control, changes, asked),
  ]);
  return [...ofChanges, ...ofFilters];
}

/**
 * Keeps the work under its ref, which comes last: what it names must be on disk, and in our own repository. The ref must be
 * where it was before the files were read: a driver that was stopped meanwhile may have read a folder that another driver
 * had saved and was removing.
 */
async function keep(
  control: Control,
  { tree, withFolders, old }: { readonly tree: string; readonly withFolders: Change[]; readonly old: string | null },
  options: SnapshotOptions,
): Promise<string> {
  const { base, message, identity, at, signal, ref } = options;
  const commit = await commitTree(control, { tree, parent: base, message, identity, at });
  await keepTree(control, { tree, known: [base], changes: withFolders, signal });
  const swapped = await compareAndSwapRef(control, ref, { next: commit, old });
  if (swapped !== "moved" && swapped.actual !== commit)
    throw new Error(`${ref} was moved by another process while the work was read. See \`stint status\`.`);
  return commit;
}
