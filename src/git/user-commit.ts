import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import { joinNul, splitNul } from "./names.ts";
import { git, GitError, gitOk, type GitOptions, type GitResult, oneAtATime } from "./run.ts";
import { inRepo, type UserRepo } from "./user-repo.ts";

/** Lists what is not committed below `paths` (literal files or folders): changed, staged, deleted or untracked. A new file that was staged and then deleted leaves nothing to commit. */
export async function dirtyPaths(repo: UserRepo, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const flags = ["--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"];
  const bytes = await gitOk(["--literal-pathspecs", "status", ...flags, "--", ...paths], inRepo(repo));
  const entries = splitNul(bytes).map((entry) => entry.toString("utf8"));
  return entries.filter((entry) => !entry.startsWith("AD ")).map((entry) => entry.slice(3));
}

/** Returns the rule by which git ignores each of these paths, such as ".gitignore:1: plans/"; a path that is tracked or not ignored has none. */
export async function ignoreRules(repo: UserRepo, paths: readonly string[]): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const flags = ["check-ignore", "-z", "--verbose", "--stdin"];
  const { stdout } = await git(flags, { ...inRepo(repo), stdin: joinNul(paths) });
  const fields = splitNul(stdout).map((field) => field.toString("utf8"));
  const rules = Array.from({ length: fields.length / 4 }, (_, at) => fields.slice(4 * at, 4 * at + 4));
  const isIgnored = ([, , pattern = "!"]: readonly string[]) => !pattern.startsWith("!");
  return new Map(
    rules.filter(isIgnored).map(([file, line, pattern, path = ""]) => [path, `${file}:${line}: ${pattern}`]),
  );
}

/**
 * Writes the commit that `commitPaths` would make if no hook changed it, for a person to look at first. No ref names it,
 * and the index, HEAD and the checkout stay as they are.
 */
export async function previewCommit(
  repo: UserRepo,
  paths: readonly string[],
): Promise<Result<string, Failure<"commit-failed">>> {
  const index = join(repo.gitDir, `index.stint-${randomBytes(6).toString("hex")}`);
  const own = { cwd: repo.root, config: "own" as const, index };
  const who = ["-c", "user.name=Stint", "-c", "user.email=stint@localhost"];
  try {
    const tree = await treeWithWorkFiles(own, paths);
    const commit = await gitOk([...who, "commit-tree", "-p", "HEAD", "-m", "Preview", tree], own);
    return ok(commit.toString("utf8").trim());
  } catch (error) {
    if (error instanceof GitError) return fail("commit-failed", error.message);
    throw error;
  } finally {
    await rm(index, { force: true });
  }
}

/**
 * Writes the tree of HEAD with these files as the work tree has them. The index, which is private and still empty, gets
 * only what HEAD has at the top in their place: all of a large repository would take long to read and to write.
 */
async function treeWithWorkFiles(own: GitOptions, paths: readonly string[]): Promise<string> {
  // Attributes decide what git makes of a file's bytes.
  const tops = new Set([".gitattributes", ...paths.map((path) => path.split("/")[0] ?? "")]);
  const list = async (...args: string[]) =>
    gitOk(["--literal-pathspecs", "ls-tree", "-z", "--full-tree", ...args], own);
  await gitOk(["update-index", "-z", "--index-info"], { ...own, stdin: await list("-r", "HEAD", ...tops) });
  await gitOk(staging, { ...own, stdin: joinNul(paths) });
  const part = (await gitOk(["write-tree"], own)).toString("utf8").trim();
  const rest = splitNul(await list("HEAD")).filter((entry) => !tops.has(entry.toString("utf8").replace(/^.*?\t/, "")));
  const entries = [...rest, ...splitNul(await list(part))].flatMap((entry) => [entry, Buffer.of(0)]);
  return (await gitOk(["mktree", "-z"], { ...own, stdin: Buffer.concat(entries) })).toString("utf8").trim();
}

/** Makes one commit of exactly these files. It is the user's own: their hooks and signing apply, and everything else that is staged stays staged. */
export async function commitPaths(
  repo: UserRepo,
  paths: readonly string[],
  message: string,
): Promise<Result<string, Failure<"commit-failed">>> {
  const own = { cwd: repo.root, config: "own" as const };
  return oneAtATime(async () => {
    const ongoing = whyNotNow(repo);
    if (ongoing !== undefined) return fail("commit-failed", ongoing);
    const before = await readFile(join(repo.gitDir, "index")).catch(() => null);
    const list = { ...own, stdin: joinNul(paths) };
    const staged = await git(staging, list);
    if (staged.code !== 0) return failedBy("update-index", staged);
    const made = await git(
      ["--literal-pathspecs", "commit", "--quiet", "--only", `--message=${message}`, ...pathList],
      list,
    );
    if (made.code !== 0) {
      await putIndexBack(repo, before);
      return failedBy("commit", made);
    }
    const sha = await gitOk(["rev-parse", "--verify", "HEAD^{commit}"], inRepo(repo));
    return ok(sha.toString("utf8").trim());
  });
}

/** Unlike `git add`, this takes a file that was removed with `git rm`. */
const staging = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
const pathList = ["--pathspec-from-file=-", "--pathspec-file-nul"];

/** Why a commit of ours would become part of what the user is doing: a rebase would take it along, a merge refuses it. */
function whyNotNow({ gitDir, root }: UserRepo): string | undefined {
  const [, command] = operations.find(([trace]) => existsSync(join(gitDir, trace))) ?? [];
  if (command === undefined) return undefined;
  const ways = `Finish it (\`git ${command} --continue\`) or give it up (\`git ${command} --abort\`), then try again.`;
  return `git ${command} is not finished in ${root}, so nothing can be committed beside it. ${ways}`;
}

/** What git leaves in its folder until an operation of several steps is over. */
const operations = [
  ["MERGE_HEAD", "merge"],
  ["rebase-merge", "rebase"],
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
] as const;

/** Restores the index, so that a failed commit leaves nothing staged that the user had not staged. */
async function putIndexBack(repo: UserRepo, bytes: Buffer | null): Promise<void> {
  const index = join(repo.gitDir, "index");
  if (bytes === null) return await rm(index, { force: true });
  const temporary = `${index}.stint-${randomBytes(6).toString("hex")}`;
  await writeFile(temporary, bytes, { flag: "wx" });
  await rename(temporary, index);
}

function failedBy(command: string, { stderr, stdout }: GitResult): Result<never, Failure<"commit-failed">> {
  const said =
    stderr.trim() || stdout.toString("utf8").trim() || "it gave no reason; a commit hook may have stopped it";
  return fail(
    "commit-failed",
    `git ${command} failed: ${said.replace(/\.$/, "")}. Fix that, or commit the files yourself; then try again.`,
  );
}
