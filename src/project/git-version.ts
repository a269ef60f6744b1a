import { git } from "../git/run.ts";
import { isOlder, versionIn } from "../base/version.ts";

/** The oldest git with `merge-tree --write-tree`, by which candidates are placed. */
export const gitMin = "2.38";
/** The oldest git that Stint is tested with. */
export const gitTested = "2.39";

/** What `git --version` says; null where there is no git. */
export async function gitVersion(): Promise<string | null> {
  try {
    return (await git(["--version"])).stdout.toString("utf8").trim();
  } catch {
    return null;
  }
}

/** Asked before a run begins, so that no agent works for a candidate that cannot be placed. */
export async function whyGitIsTooOld(): Promise<string | undefined> {
  const version = versionIn((await gitVersion()) ?? "");
  if (version === undefined || !isOlder(version, gitMin)) return undefined;
  return `git ${version} is too old. Install git ${gitTested} or newer and put it first on PATH.`;
}
