import { randomBytes } from "node:crypto";
import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Control, objectDirs } from "../git/control.ts";
import { alternatesFile, configFile, quoteValue, type GitFolder, writeThrowawayGitFolder } from "../git/git-folder.ts";
import { assertOid, type Identity } from "../git/names.ts";
import { gitOk } from "../git/run.ts";
import { execFile, removeTree } from "./remove.ts";

/** A separate clone for an agent or for checks; nothing in its `.git` is ever read back. */
export interface Checkout {
  readonly dir: string;
  /** Our index of what was checked out; it is beside the folder, out of reach of what runs inside. */
  readonly index: string;
  readonly commit: string;
  /** The short name, which has no refs/heads/; null if HEAD is detached. */
  readonly branch: string | null;
  /** The author of commits that are made inside, which are never used. */
  readonly identity: Identity;
}

/** Workspaces and rooms use the same branch and author, so that a check cannot tell the base from the candidate by them. */
export const checkoutStyle = { branch: "work", identity: { name: "Stint", email: "stint@localhost" } } as const;

/** Writes the files of a commit into a new folder, with one git process. */
export async function createCheckout(control: Control, what: Omit<Checkout, "index">): Promise<Checkout> {
  const checkout = { ...what, index: indexOf(what.dir) };
  await mkdir(checkout.dir, { recursive: true, mode: 0o700 });
  await removeIndex(checkout.index);
  await Promise.all([writeDotGit(control, checkout), writeFiles(control, checkout)]);
  await copyIndex(checkout);
  return checkout;
}

/** Deletes a checkout; its content must have been saved before. */
export async function removeCheckout(dir: string): Promise<void> {
  await removeTree(dir);
  await removeIndex(indexOf(dir));
}

/**
 * Rebuilds our index from the commit if it is missing or damaged: an agent that is not confined can reach it, and its work
 * must not be lost because of that. The new index records no times, so every file is hashed again.
 */
export async function rebuildIndex(control: Control, checkout: Checkout): Promise<void> {
  const fresh = `${checkout.index}.${randomBytes(6).toString("hex")}`;
  await gitOk(["read-tree", assertOid(checkout.commit)], { gitDir: control.dir, index: fresh });
  await removeIndex(checkout.index);
  await rename(fresh, checkout.index);
}

/** Returns the path of our index, so that a checkout found after a crash can be used again. */
export function indexOf(dir: string): string {
  return `${dir}.index`;
}

/** Points git at a checkout by our repository and our index, never by its own `.git`. */
export function inCheckout(
  control: Control,
  checkout: Checkout,
): { readonly gitDir: string; readonly workTree: string; readonly cwd: string; readonly index: string } {
  return { gitDir: control.dir, workTree: checkout.dir, cwd: checkout.dir, index: checkout.index };
}

/** Replaces whatever is at `.git` now: a file, a link or a folder. */
export async function rewriteDotGit(control: Control, checkout: Checkout): Promise<void> {
  const dotGit = join(checkout.dir, ".git");
  await rm(dotGit, { recursive: true, force: true }).catch(() => execFile("rm", ["-rf", "--", dotGit]));
  await writeDotGit(control, checkout);
  await copyIndex(checkout);
}

async function removeIndex(index: string): Promise<void> {
  await Promise.all([index, `${index}.lock`].map((file) => rm(file, { recursive: true, force: true })));
}

async function writeFiles(control: Control, checkout: Checkout): Promise<void> {
  const args = ["read-tree", "--reset", "-u", "--no-recurse-submodules", assertOid(checkout.commit)];
  await gitOk(args, inCheckout(control, checkout));
}

/** Writes the `.git` of a checkout: a repository of its own, without remotes or hooks, that borrows all objects. */
async function writeDotGit(control: Control, checkout: Checkout): Promise<void> {
  await writeThrowawayGitFolder(join(checkout.dir, ".git"), folderOf(control, checkout));
}

function folderOf(control: Control, checkout: Checkout): GitFolder {
  const { branch, commit, identity } = checkout;
  const user = `[user]\n\tname = ${quoteValue(identity.name)}\n\temail = ${quoteValue(identity.email)}\n`;
  return {
    files: {
      HEAD: branch === null ? `${commit}\n` : `ref: refs/heads/${branch}\n`,
      ...(branch === null ? {} : { [`refs/heads/${branch}`]: `${commit}\n` }),
      config: configFile(control.objectFormat, { bare: "false", ...control.settings }) + user,
      "objects/info/alternates": alternatesFile(objectDirs(control)),
      "info/exclude": control.exclude,
      shallow: control.shallow,
    },
    folders: ["objects/pack", "refs/heads", "refs/tags"],
  };
}

/** Gives the checkout a copy of our index, so that `git status` is clean there; ours stays out of reach. */
async function copyIndex(checkout: Checkout): Promise<void> {
  await copyFile(checkout.index, join(checkout.dir, ".git", "index"));
}
