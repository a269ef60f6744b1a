import type { Control } from "./control.ts";
import { assertOid, assertRef, joinNul, zeroLike } from "./names.ts";
import { updateOwnRef } from "./own-refs.ts";
import { isAncestor } from "./refs.ts";
import { git, GitError, gitOk, gitPipe, type GitResult, oneAtATime } from "./run.ts";
import { inRepo, type UserRepo } from "./user-repo.ts";
import { worktreesOf } from "./worktrees.ts";

export interface Publication {
  readonly sha: string;
  /** Without refs/heads/. */
  readonly branch: string;
  /** Below refs/stint/keep/; moves even when the branch cannot, so that the objects survive `gc`. */
  readonly keepRef: string;
  /** A commit whose objects the user's repository was given: the base, or what was published last. */
  readonly known: string;
}

export interface Published {
  readonly kind: "published";
}

/** The branch could not move now; the commits are safe under the keep ref, or, when it "failed", in Stint's own repository. */
export interface Deferred {
  readonly kind: "deferred";
  readonly reason: "checked-out" | "diverged" | "name-taken" | "locked" | "failed";
  readonly why: string;
}

/** Shows the run's tip as a branch of the user's repository, by fast-forward only, without touching their checkout, index or HEAD. */
export async function publish(repo: UserRepo, control: Control, what: Publication): Promise<Published | Deferred> {
  assertOid(what.sha);
  assertOid(what.known);
  try {
    return await tryToPublish(repo, control, what);
  } catch (error) {
    // The user's repository may be moved, damaged, full or read-only: a run goes on without it.
    if (error instanceof GitError || (error as NodeJS.ErrnoException).code !== undefined) return failed(what, error);
    throw error;
  }
}

async function tryToPublish(repo: UserRepo, control: Control, what: Publication): Promise<Published | Deferred> {
  const refs = await refsAround(repo, what);
  const [worktrees] = await Promise.all([worktreesOf(repo), transfer(repo, control, { ...what, refs })]);
  const ref = `refs/heads/${what.branch}`;
  const holder = worktrees.find((worktree) => worktree.ref === ref);
  const old = refs.get(ref) ?? null;
  const kept = refs.get(what.keepRef) ?? zeroLike(what.sha);
  if (old === what.sha) return moveRefs(repo, { ...what, kept }, null);
  const obstacle = holder ? checkedOut(what, holder.path) : await obstacleTo(control, what, refs);
  const moved = await moveRefs(repo, { ...what, kept }, obstacle ? null : { old: old ?? zeroLike(what.sha) });
  return moved.kind === "deferred" ? moved : (obstacle ?? moved);
}

type Refs = ReadonlyMap<string, string>;

/** The branch, the branches whose names make it impossible (as `a` does for `a/b`), and what the run keeps alive. */
async function refsAround(repo: UserRepo, what: Publication): Promise<Refs> {
  const kept = assertRef(what.keepRef).replace(/\/[^/]*$/, "");
  const format = "--format=%(objectname) %(refname)";
  const names = [`refs/heads/${what.branch}`, ...parentsOf(what.branch), kept];
  const output = await gitOk(["for-each-ref", format, "--end-of-options", ...names], inRepo(repo));
  const lines = output.toString("utf8").split("\n").filter(Boolean);
  return new Map(lines.map((line) => [line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))]));
}

function parentsOf(branch: string): string[] {
  const parts = branch.split("/").slice(0, -1);
  return parts.map((_, at) => `refs/heads/${parts.slice(0, at + 1).join("/")}`);
}

/** Only what is new travels, as one thin pack from process to process. */
async function transfer(repo: UserRepo, control: Control, what: Publication & { readonly refs: Refs }): Promise<void> {
  const known = await knownThere(repo, control, what);
  if (known === what.sha) return;
  if (known === null) return send(repo, control, what.sha);
  try {
    await send(repo, control, what.sha, known);
  } catch {
    // Something below what is known is missing there after all; everything is sent once.
    await send(repo, control, what.sha);
  }
}

async function send(repo: UserRepo, control: Control, sha: string, known?: string): Promise<void> {
  const thin = known === undefined ? [] : ["--thin"];
  const stdin = known === undefined ? `${sha}\n` : `${sha}\n^${known}\n`;
  const pack = ["pack-objects", "--revs", ...thin, "--stdout", "-q", "--delta-base-offset"];
  await gitPipe(
    { args: pack, options: { gitDir: control.dir, stdin } },
    { args: ["unpack-objects", "-q"], options: inRepo(repo) },
  );
}

/**
 * What need not be sent; null if nothing is certain. A user may delete refs/stint and let `gc` delete what it held: a
 * pack that builds on it would be taken, and the branch would name commits with files missing.
 */
async function knownThere(
  repo: UserRepo,
  control: Control,
  { sha, known, keepRef, refs }: Publication & { readonly refs: Refs },
): Promise<string | null> {
  const kept = refs.get(keepRef);
  if (kept !== undefined && (kept === known || (await isAncestor(control, kept, sha).catch(() => false)))) return kept;
  if ([...refs.values()].includes(known)) return known;
  // As `git fetch` asks: is all of it there, down to what the user's refs hold?
  const whole = ["rev-list", "--objects", "--quiet", "--end-of-options", known, "--not", "--all"];
  return (await git(whole, inRepo(repo))).code === 0 ? known : null;
}

async function obstacleTo(control: Control, what: Publication, refs: Refs): Promise<Deferred | null> {
  const ref = `refs/heads/${what.branch}`;
  const parents = parentsOf(what.branch);
  const inTheWay = [...refs.keys()].find((name) => parents.includes(name) || name.startsWith(`${ref}/`));
  if (inTheWay !== undefined) return nameTaken(what, inTheWay);
  const old = refs.get(ref);
  if (old === undefined || old === what.known || (await isAncestor(control, old, what.sha))) return null;
  const why = `Branch ${what.branch} has diverged: it is at ${old}, the run is at ${what.sha}. Rename or delete the branch, then run \`stint resume\`.`;
  return { kind: "deferred", reason: "diverged", why };
}

/**
 * The keep ref is ours, so a dead process's lock on it goes; one on the branch is the user's and only defers. Both must be
 * where they were: a driver that was stopped must not take them back behind the one that came after it.
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
  const why = `Branch ${what.branch} could not be published: ${reason.replace(/\.$/, "")}. The commits are safe in Stint's own repository; cure that, then run \`stint resume\`.`;
  return { kind: "deferred", reason: "failed", why };
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
