import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { splitNul } from "./names.ts";
import { gitOk } from "./run.ts";
import { inRepo, type UserRepo } from "./user-repo.ts";

/** A branch that is checked out; moving it would make that checkout look changed. */
export interface CheckedOut {
  /** The full name, which begins with refs/heads/. */
  readonly ref: string;
  readonly path: string;
}

/** Lists which branches are checked out where, including those in the middle of a rebase or bisect, whose HEAD is detached. */
export async function worktreesOf(repo: UserRepo): Promise<CheckedOut[]> {
  const listed = parseList(await gitOk(["worktree", "list", "--porcelain", "-z"], inRepo(repo)));
  return [...listed, ...(await inProgress(repo))];
}

/** Lists the folders of all work trees, whatever is checked out there. */
export async function worktreePaths(repo: UserRepo): Promise<string[]> {
  const fields = splitNul(await gitOk(["worktree", "list", "--porcelain", "-z"], inRepo(repo)));
  const lines = fields.map((field) => field.toString("utf8"));
  return [repo.root, ...lines.filter((line) => line.startsWith("worktree ")).map((line) => line.slice(9))];
}

function parseList(bytes: Buffer): CheckedOut[] {
  const found: CheckedOut[] = [];
  let path = "";
  for (const field of splitNul(bytes)) {
    const line = field.toString("utf8");
    if (line.startsWith("worktree ")) path = line.slice(9);
    if (line.startsWith("branch ")) found.push({ ref: line.slice(7), path });
  }
  return found;
}

async function inProgress(repo: UserRepo): Promise<CheckedOut[]> {
  const linked = await readdir(join(repo.commonDir, "worktrees")).catch(() => []);
  const dirs = [repo.commonDir, ...linked.map((name) => join(repo.commonDir, "worktrees", name))];
  const found = await Promise.all(dirs.map((dir) => branchesHeldBy(dir)));
  return found.flat();
}

async function branchesHeldBy(gitDir: string): Promise<CheckedOut[]> {
  const names = await Promise.all([
    firstLine(join(gitDir, "rebase-merge", "head-name")),
    firstLine(join(gitDir, "rebase-apply", "head-name")),
    firstLine(join(gitDir, "BISECT_START")).then((name) => name && `refs/heads/${name}`),
  ]);
  const linkedTo = (await firstLine(join(gitDir, "gitdir"))) || gitDir;
  const path = linkedTo.replace(/\/\.git$/, "");
  return names.filter((ref) => ref.startsWith("refs/heads/")).map((ref) => ({ ref, path }));
}

async function firstLine(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n", 1)[0] ?? "";
}
