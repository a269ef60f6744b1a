import type { Control } from "./control.ts";
import { releasePacks, sendKeptPack } from "./kept-pack.ts";
import { assertOid, assertRef, joinNul, zeroLike } from "./names.ts";
import { missingCommits } from "./objects.ts";
import { isAncestor, updateOwnRef } from "./refs.ts";
import { git, GitError, gitOk, type GitResult, oneAtATime } from "./run.ts";
import { inRepo, type UserRepo } from "./user-repo.ts";
import { worktreesOf } from "./worktrees.ts";

export interface Publication {
  readonly sha: string;
  /** The short name, which has no refs/heads/. */
  readonly branch: string;
  /** A ref below refs/stint/keep/, which moves even when the branch cannot, so that the objects survive `gc`. */
  readonly keepRef: string;
  /** A commit that the user's repository has: the base, or what was published last. */
  readonly known: string;
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

/** Shows the run's tip as a branch of the user's repository, by fast-forward only, without touching their checkout, index or HEAD. */
export async function publish(repo: UserRepo, control: Control, what: Publication): Promise<Published | Deferred> {
  assertOid(what.sha);
  assertOid(what.known);
  try {
    return await tryToPublish(repo, control, what);
  } catch (error) {
    // The user's repository may be moved, damaged, full or read-only: the run continues without it.
    if (error instanceof GitError || (error as NodeJS.ErrnoException).code !== undefined) return failed(what, error);
    throw error;
  }
}

async function tryToPublish(repo: UserRepo, control: Control, what: Publication): Promise<Published | Deferred> {
  const related = await relatedRefs(repo, what);
  const { refs } = related;
  const [worktrees] = await Promise.all([worktreesOf(repo), transfer(repo, control, { ...what, related })]);
  const ref = `refs/heads/${what.branch}`;
  const holder = worktrees.find((worktree) => worktree.ref === ref);
  const old = refs.get(ref) ?? zeroLike(what.sha);
  const kept = refs.get(what.keepRef) ?? zeroLike(what.sha);
  const obstacle = holder ? checkedOut(what, holder.path) : await obstacleTo(control, what, related);
  const isThere = old === what.sha;
  const moved = await moveRefs(repo, { ...what, kept }, obstacle || isThere ? null : { old });
  if (moved.kind === "published" || moved.reason === "locked") await releasePacks(repo, control, what);
  return moved.kind === "deferred" || isThere ? moved : (obstacle ?? moved);
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
  what: Publication,
  { refs, missing }: RelatedRefs,
): Promise<Deferred | null> {
  const ref = `refs/heads/${what.branch}`;
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
 * Moves both refs. The keep ref is ours, so a dead process's lock on it is removed; a lock on the branch is the user's and
 * defers the publication. Both refs must be where they were: a driver that was stopped must not undo what its successor did.
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
    const both = await update([...keep, ...move]);
    if (both.code === 0) return { kind: "published" };
    const kept = branch ? await update(keep) : both;
    if (kept.code !== 0) return failed(what, new GitError(args, kept));
    const why = `Branch ${what.branch} could not be moved: ${both.stderr.trim()}. The commits are kept; run \`stint resume\` to publish them.`;
    return { kind: "deferred", reason: "locked", why };
  });
}

function failed(what: Publication, error: unknown): Deferred {
  const reason = error instanceof GitError ? error.stderr.trim() || error.message : (error as Error).message;
  const why = `Branch ${what.branch} could not be published: ${reason.replace(/\.$/, "")}. The commits are safe in Stint's own repository. Fix that, then run \`stint resume\`.`;
  return { kind: "deferred", reason: "failed", why };
}

function diverged(what: Publication, old: string): Deferred {
  const why = `Branch ${what.branch} has diverged: it is at ${old}, the run is at ${what.sha}. Rename or delete the branch, then run \`stint resume\`.`;
  return { kind: "deferred", reason: "diverged", why };
}

function gone(what: Publication, old: string): Deferred {
  const why = `Branch ${what.branch} points to commit ${old}, which no longer exists in any repository here. Fetch that commit, or delete the branch with \`git branch -D ${what.branch}\`, then run \`stint resume\`.`;
  return { kind: "deferred", reason: "gone", why };
}

function checkedOut(what: Publication, path: string): Deferred {
  const why = `Branch ${what.branch} is checked out in ${path}. Switch it to another branch, then run \`stint resume\`.`;
  return { kind: "deferred", reason: "checked-out", why };
}

function nameTaken(what: Publication, other: string): Deferred {
  const name = other.replace(/^refs\/heads\//, "");
  const why = `Branch ${what.branch} cannot exist beside branch ${name}. Rename ${name}, or set \`branch\` in .stint/rules.md, then run \`stint resume\`.`;
  return { kind: "deferred", reason: "name-taken", why };
}
