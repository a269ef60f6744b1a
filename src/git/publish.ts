import type { Control } from "./control.ts";
import { assertOid, assertRef, joinNul, zeroLike } from "./names.ts";
import { isAncestor } from "./refs.ts";
import { git, GitError, gitOk, gitPipe, oneAtATime } from "./run.ts";
import { inRepo, type UserRepo } from "./user-repo.ts";
import { worktreesOf } from "./worktrees.ts";

export interface Publication {
  readonly sha: string;
  /** Without refs/heads/. */
  readonly branch: string;
  /** Below refs/stint/keep/; moves even when the branch cannot, so that the objects survive `gc`. */
  readonly keepRef: string;
  /** A commit whose objects the user's repository certainly has: the base, or what was kept last. */
  readonly known: string;
}

export interface Published {
  readonly kind: "published";
}

/** The branch could not move now; the commits are safe in the user's repository under the keep ref. */
export interface Deferred {
  readonly kind: "deferred";
  readonly reason: "checked-out" | "diverged" | "name-taken" | "locked";
  readonly why: string;
}

/** Shows the run's tip as a branch of the user's repository, by fast-forward only, without touching their checkout, index or HEAD. */
export async function publish(repo: UserRepo, control: Control, what: Publication): Promise<Published | Deferred> {
  assertOid(what.sha);
  const [branch, worktrees] = await Promise.all([
    branchState(repo, what.branch),
    worktreesOf(repo),
    transfer(repo, control, what),
  ]);
  const holder = worktrees.find((worktree) => worktree.ref === `refs/heads/${what.branch}`);
  if (branch.sha === what.sha) return moveRefs(repo, what, null);
  const obstacle = holder ? checkedOut(what, holder.path) : await obstacleTo(control, what, branch);
  const moved = await moveRefs(repo, what, obstacle ? null : { old: branch.sha ?? zeroLike(what.sha) });
  return obstacle ?? moved;
}

interface BranchState {
  readonly sha: string | null;
  /** A branch whose name makes ours impossible, as `a` does for `a/b`. */
  readonly inTheWay: string | null;
}

async function branchState(repo: UserRepo, branch: string): Promise<BranchState> {
  const ref = `refs/heads/${branch}`;
  const parents = branch
    .split("/")
    .slice(0, -1)
    .map((_, at, parts) => `refs/heads/${parts.slice(0, at + 1).join("/")}`);
  const format = "--format=%(objectname) %(refname)";
  const output = await gitOk(["for-each-ref", format, "--end-of-options", ref, ...parents], inRepo(repo));
  const refs = new Map<string, string>();
  for (const line of output.toString("utf8").split("\n").filter(Boolean)) {
    const [oid = "", name = ""] = line.split(" ");
    refs.set(name, oid);
  }
  const inTheWay = [...refs.keys()].find((name) => parents.includes(name) || name.startsWith(`${ref}/`)) ?? null;
  return { sha: refs.get(ref) ?? null, inTheWay };
}

/** Only what is new travels, as one thin pack from process to process. */
async function transfer(repo: UserRepo, control: Control, what: Publication): Promise<void> {
  if (what.sha === what.known) return;
  const revs = `${assertOid(what.sha)}\n^${assertOid(what.known)}\n`;
  const pack = ["pack-objects", "--revs", "--thin", "--stdout", "-q", "--delta-base-offset"];
  await gitPipe(
    { args: pack, options: { gitDir: control.dir, stdin: revs } },
    { args: ["unpack-objects", "-q"], options: inRepo(repo) },
  );
}

async function obstacleTo(control: Control, what: Publication, branch: BranchState): Promise<Deferred | null> {
  if (branch.inTheWay !== null) return nameTaken(what, branch.inTheWay);
  if (branch.sha === null || branch.sha === what.known || (await isAncestor(control, branch.sha, what.sha)))
    return null;
  const why = `Branch ${what.branch} has diverged: it is at ${branch.sha}, the run is at ${what.sha}. Rename or delete the branch, then run \`stint resume\`.`;
  return { kind: "deferred", reason: "diverged", why };
}

async function moveRefs(
  repo: UserRepo,
  what: Publication,
  branch: { readonly old: string } | null,
): Promise<Published | Deferred> {
  const keep = [`update ${assertRef(what.keepRef)}`, what.sha, ""];
  const move = branch ? [`update ${assertRef(`refs/heads/${what.branch}`)}`, what.sha, branch.old] : [];
  const args = ["update-ref", "--no-deref", "-z", "--stdin"];
  return oneAtATime(async () => {
    const both = await git(args, { ...inRepo(repo), stdin: joinNul([...keep, ...move]) });
    if (both.code === 0) return { kind: "published" };
    if (!branch) throw new GitError(args, both);
    await gitOk(args, { ...inRepo(repo), stdin: joinNul(keep) });
    const why = `Branch ${what.branch} could not be moved: ${both.stderr.trim()}. The commits are kept; run \`stint resume\` to publish them.`;
    return { kind: "deferred", reason: "locked", why };
  });
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
