import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import { joinNul, splitNul } from "./names.ts";
import { git, gitOk, oneAtATime } from "./run.ts";
import { inRepo, type UserRepo } from "./user-repo.ts";

/** Lists what is not committed below `paths` (literal files or folders): changed, staged, deleted or untracked. */
export async function dirtyPaths(repo: UserRepo, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const flags = ["--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"];
  const bytes = await gitOk(["--literal-pathspecs", "status", ...flags, "--", ...paths], inRepo(repo));
  return splitNul(bytes).map((entry) => entry.subarray(3).toString("utf8"));
}

/** Makes one commit of exactly these files. It is the user's own: their hooks and signing apply, and everything else that is staged stays staged. */
export async function commitPaths(
  repo: UserRepo,
  paths: readonly string[],
  message: string,
): Promise<Result<string, Failure<"commit-failed">>> {
  const own = { cwd: repo.root, config: "own" as const };
  const list = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  return oneAtATime(async () => {
    const before = await readFile(join(repo.gitDir, "index")).catch(() => null);
    for (const step of [["add"], ["commit", "--quiet", "--only", `--message=${message}`]]) {
      const done = await git(["--literal-pathspecs", ...step, ...list], { ...own, stdin: joinNul(paths) });
      if (done.code === 0) continue;
      await putIndexBack(repo, before);
      return fail("commit-failed", `git ${step[0]} failed: ${reasonOf(done.stderr, done.stdout)}`);
    }
    const sha = await gitOk(["rev-parse", "--verify", "HEAD^{commit}"], inRepo(repo));
    return ok(sha.toString("utf8").trim());
  });
}

/** Restores the index, so that a failed commit leaves nothing staged that the user had not staged. */
async function putIndexBack(repo: UserRepo, bytes: Buffer | null): Promise<void> {
  const index = join(repo.gitDir, "index");
  if (bytes === null) return await rm(index, { force: true });
  const temporary = `${index}.stint-${randomBytes(6).toString("hex")}`;
  await writeFile(temporary, bytes, { flag: "wx" });
  await rename(temporary, index);
}

function reasonOf(stderr: string, stdout: Buffer): string {
  return stderr.trim() || stdout.toString("utf8").trim() || "it gave no reason; a commit hook may have stopped it.";
}
