import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import { assertOid, type Identity, type ObjectFormat, splitNul } from "./names.ts";
import { git, gitOk, type GitResult } from "./run.ts";

/** The user's repository as it was found. */
export interface UserRepo {
  readonly root: string;
  readonly commonDir: string;
  readonly gitDir: string;
  readonly objectFormat: ObjectFormat;
  readonly shallow: boolean;
  /** The few values of their configuration that we copy, by lower-case key; the last one wins, as in git. */
  readonly settings: ReadonlyMap<string, string>;
}

export type OpenReason =
  | "no-git"
  | "old-git"
  | "no-folder"
  | "not-a-repository"
  | "not-owned"
  | "bare"
  | "no-work-tree"
  | "no-commits"
  | "partial-clone";

export interface Head {
  readonly sha: string;
  /** The short name, which has no refs/heads/; null if HEAD is detached. */
  readonly branch: string | null;
}

const copiedSettings =
  "^(core\\.(autocrlf|eol|filemode|ignorecase|symlinks|precomposeunicode|excludesfile)|extensions\\.partialclone|remote\\..*\\.promisor|submodule\\..*\\.active)$";

export type Opened = Result<UserRepo, Failure<OpenReason>>;

/** Finds the repository around `cwd`, or says why Stint cannot work there and how to fix it. */
export async function openUserRepo(cwd: string): Promise<Opened> {
  let found: GitResult;
  let settings: Map<string, string>;
  try {
    [found, settings] = await Promise.all([look(cwd), readSettings(cwd)]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    if (!existsSync(cwd)) return fail("no-folder", `${cwd} does not exist. Change to a folder that does.`);
    return fail("no-git", "git was not found. Install git 2.39 or newer and put it on PATH.");
  }
  const facts = found.stdout.toString("utf8").split("\n");
  // Git prints an option that it does not know as it is.
  if (facts[0]?.startsWith("--") === true)
    return fail("old-git", "git is too old. Install git 2.39 or newer and put it first on PATH.");
  if (found.code !== 0) return explain(cwd, facts, found.stderr);
  const partial = promisorOf(settings);
  if (partial !== null) return fail("partial-clone", partial);
  const [root, gitDir, commonDir] = await pathsOf(cwd, facts);
  return ok({
    root,
    gitDir,
    commonDir,
    objectFormat: facts[2] === "sha256" ? "sha256" : "sha1",
    shallow: facts[1] === "true",
    settings,
  });
}

/** Finds the root of the work tree around `cwd`, even if nothing is committed yet. */
export async function openWorkTree(cwd: string): Promise<Result<WorkTree, Failure<OpenReason>>> {
  const opened = await openUserRepo(cwd);
  if (opened.ok) return ok({ root: opened.value.root, hasCommits: true });
  if (opened.failure.reason !== "no-commits") return opened;
  return ok({ root: await onePath(cwd, "--show-toplevel"), hasCommits: false });
}

/** Returns the root of the work tree, also where its files can be read but no run could work yet. */
export async function rootOf(cwd: string, opened: Opened): Promise<string | undefined> {
  if (opened.ok) return opened.value.root;
  const { reason } = opened.failure;
  return reason === "no-commits" || reason === "partial-clone" ? await onePath(cwd, "--show-toplevel") : undefined;
}

export interface WorkTree {
  readonly root: string;
  readonly hasCommits: boolean;
}

/** Returns the commit a run is based on, and the branch that is checked out. */
export async function head(repo: UserRepo): Promise<Head> {
  const [sha, branch] = await Promise.all([
    gitOk(["rev-parse", "--verify", "HEAD^{commit}"], inRepo(repo)),
    git(["symbolic-ref", "-q", "HEAD"], inRepo(repo)),
  ]);
  const name = branch.stdout.toString("utf8").trimEnd();
  return { sha: sha.toString("utf8").trim(), branch: name.startsWith("refs/heads/") ? name.slice(11) : null };
}

/**
 * Returns the name of the checked-out branch (HEAD where it is detached) if it has this commit and is not `except`;
 * undefined also where the repository cannot be read, which must not change how a run ends.
 */
export async function mergedInto(repo: UserRepo, commit: string, except: string): Promise<string | undefined> {
  const args = ["merge-base", "--is-ancestor", "--end-of-options", assertOid(commit), "HEAD"];
  try {
    // Most often it is not merged, and then the branch need not be known.
    if ((await git(args, inRepo(repo))).code !== 0) return undefined;
    const { branch } = await head(repo);
    return branch === except ? undefined : (branch ?? "HEAD");
  } catch {
    return undefined;
  }
}

/**
 * Returns the name of the checked-out branch (HEAD where it is detached) if every path that changed between two commits is
 * there as in the second, which a squash merge leaves; undefined also where the repository cannot be read.
 */
export async function sameContentIn(
  repo: UserRepo,
  { base, tip }: { readonly base: string; readonly tip: string },
): Promise<string | undefined> {
  const paths = async (from: string, to: string) =>
    (await gitOk(["diff-tree", "-r", "-z", "--name-only", "--end-of-options", from, to], inRepo(repo)))
      .toString("latin1")
      .split("\0")
      .filter(Boolean);
  try {
    const [changed, differing] = [await paths(assertOid(base), assertOid(tip)), new Set(await paths(tip, "HEAD"))];
    return changed.some((path) => differing.has(path)) ? undefined : ((await head(repo)).branch ?? "HEAD");
  } catch {
    return undefined;
  }
}

/** Returns the author of commits: what `git commit` would write, so that the history is the user's own. */
export async function identity(repo: UserRepo): Promise<Result<Identity, Failure<"no-identity">>> {
  const result = await git(["var", "GIT_AUTHOR_IDENT"], { ...inRepo(repo), env: authorEnvironment() });
  const match = /^(.*) <(.*)> \d+ [+-]\d{4}$/.exec(result.stdout.toString("utf8").trimEnd());
  if (result.code === 0 && match?.[1] && match[2]) return ok({ name: match[1], email: match[2] });
  return fail(
    "no-identity",
    'Git does not know who you are. Run `git config --global user.name "Your Name"` and `git config --global user.email you@example.com`.',
  );
}

/** Lists the files below `paths` (literal files or folders) that a sparse checkout leaves out of the work tree. */
export async function leftOutPaths(repo: UserRepo, paths: readonly string[]): Promise<string[]> {
  const sparse = await git(["config", "--bool", "core.sparseCheckout"], inRepo(repo));
  if (sparse.stdout.toString().trim() !== "true") return [];
  const listed = await gitOk(["--literal-pathspecs", "ls-files", "-z", "-t", "--", ...paths], inRepo(repo));
  const entries = splitNul(listed).map((entry) => entry.toString("utf8"));
  return entries.filter((entry) => entry.startsWith("S ")).map((entry) => entry.slice(2));
}

/** Points git at the user's own repository. */
export function inRepo(repo: UserRepo): {
  readonly gitDir: string;
  readonly workTree: string;
  readonly cwd: string;
  readonly config: "user";
} {
  return { gitDir: repo.gitDir, workTree: repo.root, cwd: repo.root, config: "user" };
}

const pathFlags = ["--show-toplevel", "--absolute-git-dir", "--git-common-dir"] as const;

async function look(cwd: string): Promise<GitResult> {
  const flags = ["--is-bare-repository", "--is-shallow-repository", "--show-object-format", ...pathFlags];
  return git(["rev-parse", "--path-format=absolute", ...flags, "HEAD^{commit}"], { cwd, config: "user" });
}

function explain(cwd: string, facts: readonly string[], stderr: string): Result<never, Failure<OpenReason>> {
  if (stderr.includes("dubious ownership"))
    return fail(
      "not-owned",
      `${cwd} belongs to another user. Run \`git config --global --add safe.directory ${cwd}\` if you trust it.`,
    );
  if (facts[0] === "true")
    return fail(
      "bare",
      `${cwd} is a bare repository. Run Stint in a clone or a worktree of it: \`git worktree add ../work\`.`,
    );
  if (stderr.includes("must be run in a work tree"))
    return fail("no-work-tree", `${cwd} is inside a .git folder. Change to the work tree and try again.`);
  if (facts.length > pathFlags.length + 3)
    return fail(
      "no-commits",
      `The repository at ${facts[3] ?? cwd} has no commit yet. Run \`git add -A\` and \`git commit\`, then try again.`,
    );
  return fail(
    "not-a-repository",
    `${cwd} is not in a git repository. Run \`git init\`, commit your files, then try again.`,
  );
}

async function readSettings(cwd: string): Promise<Map<string, string>> {
  const { stdout } = await git(["config", "-z", "--get-regexp", copiedSettings], { cwd, config: "user" });
  const settings = new Map<string, string>();
  for (const entry of splitNul(stdout)) {
    const text = entry.toString("utf8");
    const end = text.indexOf("\n");
    settings.set((end === -1 ? text : text.slice(0, end)).toLowerCase(), end === -1 ? "true" : text.slice(end + 1));
  }
  return settings;
}

function promisorOf(settings: ReadonlyMap<string, string>): string | null {
  const key = [...settings].find(([name, value]) => !/^(?:core|submodule)\./.test(name) && value !== "false")?.[0];
  if (key === undefined) return null;
  return `This is a partial clone (${key} is set), and agents cannot fetch the missing files. Make a full clone with \`git clone <url>\` and run Stint there.`;
}

/** Returns root, git folder and common folder. `rev-parse` has no `-z`, so each is read alone if a path contains a newline. */
async function pathsOf(cwd: string, facts: readonly string[]): Promise<[string, string, string]> {
  if (facts.length === pathFlags.length + 5) return [facts[3] ?? "", facts[4] ?? "", facts[5] ?? ""];
  const [root, gitDir, commonDir] = await Promise.all(pathFlags.map((flag) => onePath(cwd, flag)));
  return [root ?? "", gitDir ?? "", commonDir ?? ""];
}

async function onePath(cwd: string, flag: string): Promise<string> {
  const path = await gitOk(["rev-parse", "--path-format=absolute", flag], { cwd, config: "user" });
  return resolve(cwd, path.toString("utf8").replace(/\n$/, ""));
}

/** Passes on the variables by which CI sets the author; they are data, and cannot run anything. */
function authorEnvironment(): Record<string, string> {
  const names = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "EMAIL"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
