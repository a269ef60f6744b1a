import { randomBytes } from "node:crypto";
import { lstat, rm } from "node:fs/promises";
import type { Control } from "../git/control.ts";
import { type Change, parseRaw } from "../git/diff.ts";
import type { IndexEntry } from "../git/index-file.ts";
import { assertOid, assertRef, type Identity, joinNul, splitNul } from "../git/names.ts";
import { commitTree } from "../git/place.ts";
import { git, GitError, gitOk, oneAtATime } from "../git/run.ts";
import { type Checkout, inCheckout } from "./checkout.ts";
import { copyForAdd } from "./private-index.ts";
import { type Problem, problemsOfAdd, problemsOfChanges, problemsOfFilters, problemsOfSubmodules } from "./refusals.ts";

export interface SnapshotOptions {
  /** Parent of the candidate; the commit that was checked out. */
  readonly base: string;
  readonly message: string;
  readonly identity: Identity;
  /** Where the work is kept, such as refs/stint/rescue/<run>/<task>/<n>. */
  readonly ref: string;
  readonly at: Date;
  /** Files that set-up made; they are not the agent's. */
  readonly exclude?: readonly string[];
}

/** What the agent left. With problems it is kept, as far as git could take it, but it is no candidate. */
export interface Snapshot {
  /** The base itself when nothing changed. */
  readonly commit: string;
  readonly tree: string;
  readonly changes: readonly Change[];
  readonly empty: boolean;
  readonly problems: readonly Problem[];
}

type Place = ReturnType<typeof inCheckout>;

/** Turns the files of a checkout into a commit on its base, honouring nothing of its `.git`, and keeps it under `ref`. */
export async function snapshot(control: Control, checkout: Checkout, options: SnapshotOptions): Promise<Snapshot> {
  const { place, known } = await privateIndex(control, checkout);
  try {
    const found = await stage(place, known, options.exclude ?? []);
    const { tree, changes } = await compare(place, options.base);
    const problems = [
      ...found,
      ...(await refusals(control, { changes, known, indexes: [checkout.index, place.index] })),
    ];
    if (changes.length === 0) return { commit: options.base, tree, changes, empty: true, problems };
    const commit = await keep(control, tree, options);
    return { commit, tree, changes, empty: false, problems };
  } finally {
    await rm(place.index, { force: true });
    await rm(`${place.index}.lock`, { force: true });
  }
}

/** Files that are neither tracked nor ignored; taken after set-up, they are what set-up made. */
export async function untrackedPaths(control: Control, checkout: Checkout): Promise<string[]> {
  const args = ["ls-files", "--others", "--exclude-standard", "-z"];
  return splitNul(await gitOk(args, inCheckout(control, checkout))).map((path) => path.toString("utf8"));
}

/** A copy, so that a snapshot can be taken again and nothing of a failed one stays. */
async function privateIndex(control: Control, checkout: Checkout): Promise<{ place: Place; known: IndexEntry[] }> {
  const folder = await lstat(checkout.dir);
  if (!folder.isDirectory())
    throw new Error(`${checkout.dir} was replaced by something that is not a folder; it cannot be read safely.`);
  const index = `${checkout.index}.${randomBytes(6).toString("hex")}`;
  const known = await copyForAdd(checkout, index, control.objectFormat);
  return { place: { ...inCheckout(control, checkout), index }, known };
}

async function stage(place: Place, known: readonly IndexEntry[], exclude: readonly string[]): Promise<Problem[]> {
  const submodules = await problemsOfSubmodules(place.workTree, known);
  // Filled submodules are left out of the call altogether: git would run `status` inside them.
  const left = submodules.map((problem) => `:(top,literal,exclude)${problem.path}`);
  const pathspecs = left.length === 0 ? [] : ["--pathspec-from-file=-", "--pathspec-file-nul"];
  const args = ["add", "--all", "--ignore-errors", ...pathspecs];
  const added = await git(args, { ...place, ...(left.length === 0 ? {} : { stdin: joinNul([":(top)", ...left]) }) });
  if (added.code > 1) throw new GitError(args, added);
  const problems = problemsOfAdd(added.stderr);
  if (added.code === 1 && problems.length === 0) throw new GitError(args, added);
  await unstage(place, exclude);
  return [...submodules, ...problems];
}

async function unstage(place: Place, exclude: readonly string[]): Promise<void> {
  if (exclude.length === 0) return;
  const stdin = joinNul(exclude.map((path) => path.replace(/\/$/, "")));
  await gitOk(["update-index", "--force-remove", "-z", "--stdin"], { ...place, stdin });
}

async function compare(place: Place, base: string): Promise<{ tree: string; changes: Change[] }> {
  const diff = ["diff-index", "--cached", "-z", "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=none"];
  const [tree, raw] = await Promise.all([gitOk(["write-tree"], place), gitOk([...diff, assertOid(base), "--"], place)]);
  return { tree: tree.toString("utf8").trim(), changes: parseRaw(raw) };
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
  // Both are asked when the agent changed the attributes: neither adding nor dropping a filter may hide a change.
  const indexes = facts.indexes.filter((_, at) => (at === 0 ? oldAttributes : newAttributes));
  const asked = changes.length === 0 ? [] : indexes;
  const [ofChanges, ofFilters] = await Promise.all([
    problemsOfChanges(control, changes),
    problemsOfFilters(control, changes, asked),
  ]);
  return [...ofChanges, ...ofFilters];
}

async function keep(control: Control, tree: string, options: SnapshotOptions): Promise<string> {
  const { base, message, identity, at } = options;
  const commit = await commitTree(control, { tree, parent: base, message, identity, at });
  const args = ["update-ref", "--no-deref", "--end-of-options", assertRef(options.ref), commit];
  await oneAtATime(() => gitOk(args, { gitDir: control.dir }));
  return commit;
}
