import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { sendKeptPack } from "../../../src/git/kept-pack.ts";
import { publish } from "../../../src/git/publish.ts";
import { around, commitAll, next, rig, type Rig, sh, tempDir, write } from "../../rig/git.ts";

const resume = "stint resume p#1";
const [branch, keepRef] = ["stint/p", "refs/stint/keep/r/tip"];

/** Lets a script see each of Stint's calls of git first; `$@` is the call, `real` is git, `user` is git in the user's repository. */
function standBeforeGit(r: Rig, script: string): void {
  vi.unstubAllEnvs();
  const bin = tempDir();
  const path = process.env["PATH"] ?? "";
  const real = `real() { PATH='${path}' git "$@"; }\nuser() { real -C '${r.user}' "$@"; }\nobjects='${r.user}/.git/objects'`;
  writeFileSync(join(bin, "git"), `#!/bin/sh\n${real}\ncase "$*" in ${script}\nesac\nreal "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  vi.stubEnv("PATH", `${bin}:${path}`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

const packs = (r: Rig) => join(r.user, ".git/objects/pack");
const keepsIn = (r: Rig) => readdirSync(packs(r)).filter((name) => name.endsWith(".keep"));
const isWhole = (r: Rig) => {
  try {
    return sh(r.user, "fsck", "--connectivity-only", "--no-dangling") === "";
  } catch {
    return false;
  }
};

/** What the user's git does around the call that moves the refs. */
const users = {
  "collects garbage before the refs move": "*update-ref*) user gc -q --prune=now;;",
  "prunes before the refs move": "*update-ref*) user prune --expire=now;;",
  // As prune works: what it deletes, it has listed before.
  "has begun to prune before the refs move, and deletes afterwards": `*update-ref*)
    listed=$(user prune -n --expire=now | cut -d" " -f1)
    real "$@"; code=$?
    for oid in $listed; do rm -f "$objects/$(echo $oid | sed 's,^..,&/,')"; done
    exit $code;;`,
};
const loose = "*index-pack*) user unpack-objects -q; exit;;";

test.each(Object.entries(users))(
  "A user who %s takes nothing away; as loose objects the commits would be gone.",
  async (_, script) => {
    const r = await rig();
    const one = await next(r, r.base, "1");
    const two = await next(r, one, "2");
    standBeforeGit(r, script);
    for (const [sha, known] of [[one, r.base] as const, [two, one] as const])
      expect(await publish(r.repo, r.control, { sha, branch, keepRef, known, resume })).toEqual({ kind: "published" });
    expect([isWhole(r), sh(r.user, "rev-parse", branch), keepsIn(r)]).toEqual([true, two, []]);

    const control = await rig();
    const lost = await next(control, control.base, "1");
    standBeforeGit(control, `${script}\n${loose}`);
    await publish(control.repo, control.control, { sha: lost, branch, keepRef, known: control.base, resume });
    expect(() => sh(control.user, "cat-file", "-e", lost)).toThrow("Command failed");
  },
);

test("A pack whose temporary file was pruned while it was written is sent again.", async () => {
  const r = await rig();
  const one = await next(r, r.base, "1");
  const first = join(r.root, "first");
  standBeforeGit(r, `*index-pack*) mkdir '${first}' 2>/dev/null && { cat >/dev/null; exit 128; };;`);
  expect(await publish(r.repo, r.control, { sha: one, branch, keepRef, known: r.base, resume })).toEqual({
    kind: "published",
  });
  expect([existsSync(first), isWhole(r), keepsIn(r)]).toEqual([true, true, []]);
});

test("What a killed publication kept is released once a ref holds it, not before; a .keep of the user's stays.", async () => {
  const r = await rig();
  sh(r.user, "repack", "-q", "-a", "-d");
  const theirs = readdirSync(packs(r))
    .find((name) => name.endsWith(".pack"))!
    .replace(".pack", ".keep");
  writeFileSync(join(packs(r), theirs), "mine\n");
  const one = await next(r, r.base, "1");
  const other = { sha: await next(r, r.base, "other"), keepRef: "refs/stint/keep/other/tip" };
  await sendKeptPack(r.repo, r.control, { sha: one, keepRef, known: r.base });
  await sendKeptPack(r.repo, r.control, { ...other, known: r.base });
  sh(r.user, "gc", "-q", "--prune=now");
  expect(keepsIn(r)).toHaveLength(3);
  expect(sh(r.user, "cat-file", "-t", one)).toBe("commit");

  const two = await next(r, one, "2");
  await publish(r.repo, r.control, { sha: two, branch, keepRef, known: r.base, resume });
  expect(keepsIn(r)).toHaveLength(2);
  sh(r.user, "update-ref", other.keepRef, other.sha);
  await publish(r.repo, r.control, { sha: two, branch, keepRef, known: two, resume });
  expect(keepsIn(r)).toEqual([theirs]);
  sh(r.user, "gc", "-q", "--prune=now");
  expect(isWhole(r)).toBe(true);
});

/** Refs as an interrupted machine leaves them: they name commits whose objects are not there. */
async function withGoneCommit(): Promise<{ r: Rig; one: string }> {
  const r = await rig();
  const one = await next(r, r.base, "1");
  await publish(r.repo, r.control, { sha: one, branch, keepRef, known: r.base, resume });
  for (const ref of [keepRef, `refs/heads/${branch}`]) sh(r.user, "update-ref", "-d", ref);
  sh(r.user, "gc", "-q", "--prune=now");
  for (const ref of [keepRef, `refs/heads/${branch}`]) write(join(r.user, ".git"), { [ref]: `${one}\n` });
  expect(isWhole(r)).toBe(false);
  return { r, one };
}

test.each(["the same commit", "the next commit"])(
  "A branch and a keep ref that name a commit that is gone are fixed when %s is published.",
  async (which) => {
    const { r, one } = await withGoneCommit();
    const sha = which === "the same commit" ? one : await next(r, one, "2");
    expect(await publish(r.repo, r.control, { sha, branch, keepRef, known: one, resume })).toEqual({
      kind: "published",
    });
    expect([isWhole(r), sh(r.user, "rev-parse", branch), keepsIn(r)]).toEqual([true, sha, []]);
  },
);

test("A branch that names a commit nobody has waits and says how to fix it, and the work is kept; once fixed it is published.", async () => {
  const r = await rig();
  const one = await next(r, r.base, "1");
  const nobodys = "d".repeat(40);
  write(join(r.user, ".git"), { [`refs/heads/${branch}`]: `${nobodys}\n` });
  const what = { sha: one, branch, keepRef, known: r.base, resume };
  expect(await publish(r.repo, r.control, what)).toEqual({
    kind: "deferred",
    reason: "gone",
    why: `Branch stint/p points to commit ${nobodys}, which no longer exists in any repository here. Fetch that commit, or delete the branch with \`git branch -D stint/p\`, then run \`${resume}\`.`,
  });
  expect(sh(r.user, "rev-parse", keepRef)).toBe(one);
  sh(r.user, "branch", "-q", "-D", branch);
  expect(await publish(r.repo, r.control, what)).toEqual({ kind: "published" });
  expect(isWhole(r)).toBe(true);
});

test("A commit that is there but that no ref holds is sent again, for gc may take it at any time.", async () => {
  const r = await rig();
  const one = await next(r, r.base, "1");
  await publish(r.repo, r.control, { sha: one, branch, keepRef, known: r.base, resume });
  for (const ref of [keepRef, `refs/heads/${branch}`]) sh(r.user, "update-ref", "-d", ref);
  const two = await next(r, one, "2");
  standBeforeGit(r, users["collects garbage before the refs move"]);
  expect(await publish(r.repo, r.control, { sha: two, branch, keepRef, known: one, resume })).toEqual({
    kind: "published",
  });
  expect([isWhole(r), sh(r.user, "rev-list", "--count", branch)]).toEqual([true, "3"]);
});

/** Repositories in which objects are named or found otherwise. */
const kinds: Record<string, () => Promise<Rig>> = {
  "of SHA-256": () => rig(undefined, ["--object-format=sha256"]),
  "that is shallow": () => cloneOf("--depth=1"),
  "that borrows objects": () => cloneOf("--shared"),
};

async function cloneOf(how: string): Promise<Rig> {
  const from = await rig();
  write(from.user, { "a.txt": "newer\n" });
  commitAll(from.user);
  const root = tempDir();
  sh(root, "clone", "-q", how, `file://${from.user}`, "user");
  return around(root, join(root, "user"));
}

test.each(Object.entries(kinds))("A repository %s gets its commits, and they survive gc.", async (_, make) => {
  const r = await make();
  const one = await next(r, r.base, "1");
  const two = await next(r, one, "2");
  for (const [sha, known] of [[one, r.base] as const, [two, one] as const])
    expect(await publish(r.repo, r.control, { sha, branch, keepRef, known, resume })).toEqual({ kind: "published" });
  rmSync(join(r.control.dir, "objects"), { recursive: true });
  sh(r.user, "gc", "-q", "--prune=now");
  expect([isWhole(r), sh(r.user, "show", `${branch}:a.txt`), keepsIn(r)]).toEqual([true, "2", []]);
});
