import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Control, objectDirs } from "../git/control.ts";
import { alternatesFile, configFile, quoteValue, type GitFolder, writeThrowawayGitFolder } from "../git/git-folder.ts";
import { execFile } from "./remove.ts";
import type { Checkout } from "./checkout.ts";

/** Writes the `.git` of a checkout: a repository of its own, without remotes or hooks, that borrows all objects. */
export async function writeDotGit(control: Control, checkout: Checkout): Promise<void> {
  await writeThrowawayGitFolder(join(checkout.dir, ".git"), folderOf(control, checkout));
}

/** Gives the checkout a copy of our index, so that `git status` is clean there; ours stays out of reach. */
export async function copyIndex(checkout: Checkout): Promise<void> {
  await copyFile(checkout.index, join(checkout.dir, ".git", "index"));
}

/** Replaces whatever is at `.git` now: a file, a link or a folder. */
export async function rewriteDotGit(control: Control, checkout: Checkout): Promise<void> {
  const dotGit = join(checkout.dir, ".git");
  await rm(dotGit, { recursive: true, force: true }).catch(() => execFile("rm", ["-rf", "--", dotGit]));
  await writeDotGit(control, checkout);
  await copyIndex(checkout);
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
