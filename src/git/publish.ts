import { link, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { shellWord } from "../base/command-line.ts";
import type { Control } from "./control.ts";
import { releasePacks, sendKeptPack } from "./kept-pack.ts";
import { assertOid, assertRef, joinNul, zeroLike } from "./names.ts";
import { missingCommits } from "./objects.ts";
import { isAncestor, updateOwnRef } from "./refs.ts";
import { git, GitError, gitOk, type GitResult, oneAtATime } from "./run.ts";
import { inRepo, type UserRepo } from "./user-repo.ts";
import { worktreesOf, type CheckedOut } from "./worktrees.ts";

export interface Publication {
  readonly sha: string;
  /** The short name, which has no refs/heads/. */
  readonly branch: string;
  /** A ref below refs/stint/keep/, which moves even when the branch cannot, so that the objects survive `gc`. */
  readonly keepRef: string;
  /** A commit that the user's repository has: the base, or what was published last. */
  readonly known: string;
  /** What a person types to resume the run, once what defers the publication is fixed. */
  readonly resume: string;
}

export interface Published {
  readonly kind: "published";
}

/** The branch could not move now; the commits are safe under the keep ref, or, when it "failed", in Stint's own repository. */
export interface Deferred {
  readonly kind: "deferred";
  readonly reason: "checked-out" | "diverged" | "gone" | "name-taken" | "locked" | "failed";
  readonly why: string;
}

/** What keeps a branch from following a run. */
interface Obstacle {
  readonly reason: Deferred["reason"];
  readonly what: string;
  readonly cure: string;
}

/** Shows the run's tip as a branch of the user's repository, by fast-forward only, without touching their checkout, index or HEAD. */
export async function publish(repo: UserRepo, control: Control, what: Publication): Promise<Published | Deferred> {
  assertOid(what.sha);
  assertOid(what.known);
  try {
    return await tryToPublish(repo, control, what);
  } catch (error) {
    return failed(what, error);
  }
}

/**
 * Says why a branch could not follow a run that starts at this commit, so that a person can fix it while agents work;
 * undefined if it could. Git takes the branch's lock and gives it back: a lock or a read-only folder shows now.
 */
export async function whyUnpublishable(
  repo: UserRepo,
  control: Control,
  { branch, base, resume }: { readonly branch: string; readonly base: string; readonly resume: string },
): Promise<string | undefined> {
  const what = { branch, sha: base, known: base, keepRef: "refs/stint/keep/none/tip", resume };
  try {
    const [related, worktrees] = await Promise.all([relatedRefs(repo, what), worktreesOf(repo)]);
    const obstacle =
      (await obstacleTo(control, { ...what, worktrees }, related)) ?? (await lockObstacle(repo, what, related));
    if (obstacle === null) return undefined;
    return `${obstacle.what} ${obstacle.cure}; until then, this run's commits are kept but do not reach the branch.`;
  } catch (error) {
    return failed(what, error).why;
  }
}

/** Tries a transaction that is given up: what git says about it is what it would say when the branch has to move. */
async function lockObstacle(repo: UserRepo, what: Publication, { refs }: RelatedRefs): Promise<Obstacle | null> {
  const ref = assertRef(`refs/heads/${what.branch}`);
  const update = [`update ${ref}`, what.sha, refs.get(ref) ?? zeroLike(what.sha)];
  const stdin = joinNul(["start", ...update, "prepare", "abort"]);
  const attempt = () => git(["update-ref", "--no-deref", "-z", "--stdin"], { ...inRepo(repo), stdin });
  const tried = await oneAtATime(() => withoutOwnLock(repo, what, attempt));
  return tried.code === 0 ? null : locked(what, tried);
}

/**
 * Moves the branch; if that fails because a git of ours was killed and left its lock, removes the lock and tries again. Ours
 * has a commit that this run puts on the branch. Any other lock is the user's, and stays.
 */
async function withoutOwnLock(
  repo: UserRepo,
  { branch, sha, known }: Publication,
  move: () => Promise<GitResult>,
): Promise<GitResult> {
  const moved = await move();
  if (moved.code === 0) return moved;
  const lock = join(repo.commonDir, `${assertRef(`refs/heads/${branch}`)}.lock`);
  const isOurs = async (file: string) => [sha, known].includes((await readFile(file, "utf8").catch(() => "")).trim());
  if (!(await isOurs(lock))) return moved;
  // Moved aside and read again: a git of the user's may have taken the lock meanwhile.
  const aside = `${lock}.${process.pid}`;
  await rename(lock, aside).catch(() => undefined);
  if (!(await isOurs(aside))) await link(aside, lock).catch(() => undefined);
  await rm(aside, { force: true });
  return move();
}

async function tryToPublish(repo: UserRepo, control: Control, what: Publication): Promise<Published | Deferred> {
  const related = await relatedRefs(repo, what);
  const { refs } = related;
  const [worktrees] = await Promise.all([worktreesOf(repo), transfer(repo, control, { ...what, related })]);
  const ref = `refs/heads/${what.branch}`;
  const old = refs.get(ref) ?? zeroLike(what.sha);
  const kept = refs.get(what.keepRef) ?? zeroLike(what.sha);
  const obstacle = await obstacleTo(control, { ...what, worktrees }, related);
  const isThere = old === what.sha;
  const moved = await moveRefs(repo, { ...what, kept }, obstacle || isThere ? null : { old });
  if (moved.kind === "published" || moved.reason === "locked") await releasePacks(repo, control, what);
  return moved.kind === "deferred" || isThere || obstacle === null ? moved : deferred(what, obstacle);
}

/** Refs of the user's repository that matter to a publication. */
interface RelatedRefs {
  readonly refs: ReadonlyMap<string, string>;
  /** The objects that some of them name and that do not exist. */
  readonly missing: ReadonlySet<string>;
}

/** Lists the branch, the branches that cannot exist beside it (`a` beside `a/b`), and the refs that keep the run's commits alive. */
async function relatedRefs(
  repo: UserRepo,
  { branch, keepRef }: { readonly branch: string; readonly keepRef: string },
): Promise<RelatedRefs> {
  const kept = assertRef(keepRef).replace(/\/[^/]*$/, "");
  const names = [`refs/heads/${branch}`, ...parentsOf(branch), kept];
  const list = (format: string) => ["for-each-ref", `--format=${format}`, "--end-of-options", ...names];
  // Asking for the type makes git look for the object, and fail if it is missing.
  const whole = await git(list("%(objectname) %(refname) %(objecttype)"), inRepo(repo));
  if (whole.code === 0) return { refs: parseRefs(whole.stdout), missing: new Set() };
  const refs = parseRefs(await gitOk(list("%(objectname) %(refname)"), inRepo(repo)));
  return { refs, missing: new Set(await missingCommits(inRepo(repo), [...refs.values()])) };
}

/** Returns the full names of the branches that cannot exist beside this one because they are its folders. */
function parentsOf(branch: string): string[] {
  const parts = branch.split("/").slice(0, -1);
  return parts.map((_, at) => `refs/heads/${parts.slice(0, at + 1).join("/")}`);
}

function parseRefs(output: Buffer): Map<string, string> {
  const lines = output.toString("utf8").split("\n").filter(Boolean);
  return new Map(lines.map((line) => line.split(" ")).map(([oid = "", name = ""]) => [name, oid]));
}

/** Sends only what is new, and sends it again if a `git prune` of the user's deleted it half-written. */
async function transfer(
  repo: UserRepo,
  control: Control,
  what: Publication & { readonly related: RelatedRefs },
): Promise<void> {
  const known = await knownThere(repo, control, what);
  if (known === what.sha) return;
  try {
    await sendKeptPack(repo, control, { ...what, known });
  } catch (error) {
    // Something that the known commit needs is missing there after all, so everything is sent.
    const lacks = error instanceof GitError && /unresolved delta|bad (?:object|revision)/.test(error.stderr);
    await sendKeptPack(repo, control, { ...what, known: lacks ? null : known });
  }
}

/**
 * Returns a commit that need not be sent because a ref holds it; null if none is certain. A user may delete refs/stint and
 * let `gc` delete its commits: git would accept a pack that builds on them, and the branch would have files missing.
 */
async function knownThere(
  repo: UserRepo,
  control: Control,
  { sha, known, keepRef, related }: Publication & { readonly related: RelatedRefs },
): Promise<string | null> {
  const held = [...related.refs.values()].filter((oid) => !related.missing.has(oid));
  const best = [related.refs.get(keepRef), known].flatMap((oid) => (oid && held.includes(oid) ? [oid] : []));
  for (const oid of new Set([...best, ...held]))
    if (oid === known || (await isAncestor(control, oid, sha).catch(() => false))) return oid;
  const args = ["rev-list", "--max-count=1", assertOid(known), "--not", "--all"];
  const unheld = await git(args, inRepo(repo));
  return unheld.code === 0 && unheld.stdout.length === 0 ? known : null;
}

async function obstacleTo(
  control: Control,
  what: Publication & { readonly worktrees: readonly CheckedOut[] },
  { refs, missing }: RelatedRefs,
): Promise<Obstacle | null> {
  const ref = `refs/heads/${what.branch}`;
  const holder = what.worktrees.find((worktree) => worktree.ref === ref);
  if (holder !== undefined) return checkedOut(what, holder.path);
  const parents = parentsOf(what.branch);
  const inTheWay = [...refs.keys()].find((name) => parents.includes(name) || name.startsWith(`${ref}/`));
  if (inTheWay !== undefined) return nameTaken(what, inTheWay);
  const old = refs.get(ref);
  if (old === undefined || old === what.known) return null;
  // The run's own commits have been sent again by now.
  const isBehind = await isAncestor(control, old, what.sha).catch((error: unknown) => {
    if (missing.has(old)) return null;
    throw error;
  });
  if (isBehind === null) return gone(what, old);
  return isBehind ? null : diverged(what, old);
}

/**
 * Moves both refs. The keep ref is ours, so a dead process's lock on it is removed; a user's lock on the branch defers the
 * publication. Both refs must be where they were: a driver that was stopped must not undo what its successor did.
 */
async function moveRefs(
  repo: UserRepo,
  what: Publication & { readonly kept: string },
  branch: { readonly old: string } | null,
): Promise<Published | Deferred> {
  const keep = [`update ${assertRef(what.keepRef)}`, what.sha, what.kept];
  const move = branch ? [`update ${assertRef(`refs/heads/${what.branch}`)}`, what.sha, branch.old] : [];
  const args = ["update-ref", "--no-deref", "-z", "--stdin"];
  const update = (fields: readonly string[]): Promise<GitResult> =>
    updateOwnRef({ options: inRepo(repo), dir: repo.commonDir }, what.keepRef, { args, stdin: joinNul(fields) });
  return oneAtATime(async () => {
    const moveBoth = () => update([...keep, ...move]);
    const both = branch ? await withoutOwnLock(repo, what, moveBoth) : await moveBoth();
    if (both.code === 0) return { kind: "published" };
    const kept = branch ? await update(keep) : both;
    if (kept.code !== 0) return failed(what, new GitError(args, kept));
    return deferred(what, locked(what, both));
  });
}

/** The user's repository may be moved, damaged, full or read-only: the run continues without it. */
function failed(what: Publication, error: unknown): Deferred {
  if (!(error instanceof GitError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
  const reason = error instanceof GitError ? error.stderr.trim() || error.message : (error as Error).message;
  const why = `Branch ${what.branch} could not be published: ${reason.replace(/\.$/, "")}. The commits are safe in Stint's own repository. Fix that, then run \`${what.resume}\`.`;
  return { kind: "deferred", reason: "failed", why };
}

function deferred({ resume }: Publication, { reason, what, cure }: Obstacle): Deferred {
  return { kind: "deferred", reason, why: `${what} ${cure}, then run \`${resume}\`.` };
}

function locked({ branch }: Publication, { stderr }: GitResult): Obstacle {
  const { why, cure } = whyLocked(stderr);
  return { reason: "locked", what: `Branch ${branch} cannot be moved: ${why}.`, cure };
}

/** Puts what git says about a ref that it cannot lock into words, with the cure. */
export function whyLocked(stderr: string): { readonly why: string; readonly cure: string } {
  const lock = /Unable to create '(.*\.lock)': File exists/.exec(stderr)?.[1];
  if (lock !== undefined)
    return { why: `${lock} exists`, cure: "Wait for the git command that made it, or delete it if none runs" };
  const denied = /Unable to create '(.*)\/[^/]*\.lock': Permission denied|unable to create directory for (.*)\/[^/]*$/m;
  const [, folder, missing] = denied.exec(stderr) ?? [];
  if (folder !== undefined)
    return { why: `${folder} cannot be written (permission denied)`, cure: "Give your user write access to it" };
  if (missing !== undefined)
    return { why: `${missing} cannot be created`, cure: `Give your user write access to ${dirname(missing)}` };
  return { why: stderr.trim().replace(/\.$/, ""), cure: "Fix that" };
}

/** The name ends in the commit, so that it is free: an earlier divergence may have been renamed already. */
function diverged({ branch, sha }: Publication, old: string): Obstacle {
  const what = `Branch ${branch} has diverged: it is at ${old.slice(0, 12)}, the run is at ${sha.slice(0, 12)}.`;
  const name = shellWord(branch);
  const rename = `\`git branch -m ${name} ${shellWord(`${branch}-${old.slice(0, 8)}`)}\``;
  return { reason: "diverged", what, cure: `Rename it with ${rename}, or delete it with \`git branch -D ${name}\`` };
}

function gone({ branch }: Publication, old: string): Obstacle {
  const what = `Branch ${branch} points to commit ${old}, which no longer exists in any repository here.`;
  const cure = `Fetch that commit, or delete the branch with \`git branch -D ${shellWord(branch)}\``;
  return { reason: "gone", what, cure };
}

function checkedOut({ branch }: Publication, path: string): Obstacle {
  const what = `Branch ${branch} is checked out in ${path}.`;
  return { reason: "checked-out", what, cure: "Switch it to another branch" };
}

function nameTaken({ branch }: Publication, other: string): Obstacle {
  const name = other.replace(/^refs\/heads\//, "");
  const what = `Branch ${branch} cannot exist beside branch ${name}.`;
  const to = shellWord(`${name.replaceAll("/", "-")}-old`);
  return { reason: "name-taken", what, cure: `Rename ${name} with \`git branch -m ${shellWord(name)} ${to}\`` };
}
