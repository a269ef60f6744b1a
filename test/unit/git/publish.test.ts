import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { publish, whyLocked, whyUnpublishable } from "../../../src/git/publish.ts";
import { bytesOf, commitAll, next, rig, sh, write } from "../../rig/git.ts";

const resume = "stint resume p#1";
const keepRef = "refs/stint/keep/r/tip";

test("the branch appears and moves forward; checkout, index, HEAD, stash and hooks stay as they are", async () => {
  const r = await rig({ "a.txt": "a\n", b: "b" });
  const fired = join(r.root, "fired");
  for (const hook of ["reference-transaction", "post-checkout", "post-merge", "update"]) {
    writeFileSync(join(r.user, ".git/hooks", hook), `#!/bin/sh\ntouch '${fired}'\n`);
    chmodSync(join(r.user, ".git/hooks", hook), 0o755);
  }
  write(r.user, { b: "stashed" });
  sh(r.user, "stash");
  write(r.user, { b: "dirty", c: "staged" });
  sh(r.user, "add", "c");
  expect(existsSync(fired)).toBe(true);
  rmSync(fired);
  const skip = [".git/objects", ".git/stint", ".git/refs/stint", ".git/refs/heads/stint", ".git/logs/refs/heads/stint"];
  const before = bytesOf(r.user, skip);
  const one = await next(r, r.base, "1");
  expect(await publish(r.repo, r.control, { sha: one, branch: "stint/p", keepRef, known: r.base, resume })).toEqual({
    kind: "published",
  });
  const two = await next(r, one, "2");
  expect(await publish(r.repo, r.control, { sha: two, branch: "stint/p", keepRef, known: one, resume })).toEqual({
    kind: "published",
  });
  expect(await publish(r.repo, r.control, { sha: two, branch: "stint/p", keepRef, known: two, resume })).toEqual({
    kind: "published",
  });
  expect(existsSync(fired)).toBe(false);
  expect(bytesOf(r.user, skip)).toEqual(before);
  sh(r.user, "gc", "-q", "--prune=now");
  expect(sh(r.user, "log", "--format=%s", "stint/p")).toBe("2\n1\nbase");
  expect(sh(r.user, "fsck", "--strict")).toBe("");
  expect(sh(r.user, "rev-parse", keepRef)).toBe(two);
});

test("a branch that is checked out waits, and says where", async () => {
  const r = await rig();
  const linked = join(r.root, "linked");
  sh(r.user, "worktree", "add", "-q", "-b", "stint/p", linked);
  const one = await next(r, r.base, "1");
  expect(await publish(r.repo, r.control, { sha: one, branch: "stint/p", keepRef, known: r.base, resume })).toEqual({
    kind: "deferred",
    reason: "checked-out",
    why: `Branch stint/p is checked out in ${linked}. Switch it to another branch, then run \`${resume}\`.`,
  });
  expect(sh(r.user, "rev-parse", "stint/p")).toBe(r.base);
  expect(sh(r.user, "cat-file", "-t", keepRef)).toBe("commit");
  sh(linked, "checkout", "-q", "--detach");
  expect(await publish(r.repo, r.control, { sha: one, branch: "stint/p", keepRef, known: one, resume })).toEqual({
    kind: "published",
  });
  sh(r.user, "checkout", "-q", "--orphan", "stint/unborn");
  expect(
    await publish(r.repo, r.control, { sha: one, branch: "stint/unborn", keepRef, known: one, resume }),
  ).toMatchObject({
    reason: "checked-out",
  });
});

test("a diverged branch waits with both commits named; one moved back is fast-forwarded", async () => {
  const r = await rig();
  sh(r.user, "checkout", "-q", "-b", "stint/p");
  write(r.user, { x: "x" });
  const theirs = commitAll(r.user);
  sh(r.user, "checkout", "-q", "main");
  const one = await next(r, r.base, "1");
  const outcome = await publish(r.repo, r.control, { sha: one, branch: "stint/p", keepRef, known: r.base, resume });
  expect(outcome).toMatchObject({ kind: "deferred", reason: "diverged" });
  expect(outcome.kind === "deferred" && outcome.why).toContain(
    `it is at ${theirs.slice(0, 12)}, the run is at ${one.slice(0, 12)}`,
  );
  expect(sh(r.user, "rev-parse", "stint/p")).toBe(theirs);
  sh(r.user, "branch", "-f", "stint/p", r.base);
  expect(await publish(r.repo, r.control, { sha: one, branch: "stint/p", keepRef, known: one, resume })).toEqual({
    kind: "published",
  });
});

test("a name that cannot exist beside another branch waits", async () => {
  const r = await rig();
  sh(r.user, "branch", "stint");
  sh(r.user, "branch", "top/p/deep");
  const one = await next(r, r.base, "1");
  const below = await publish(r.repo, r.control, { sha: one, branch: "stint/p", keepRef, known: r.base, resume });
  expect(below.kind === "deferred" && below.why).toContain("Branch stint/p cannot exist beside branch stint.");
  const above = await publish(r.repo, r.control, { sha: one, branch: "top/p", keepRef, known: one, resume });
  expect(above.kind === "deferred" && above.why).toContain("beside branch top/p/deep.");
  expect(sh(r.user, "rev-parse", keepRef)).toBe(one);
});

test("what would keep a branch from following a run is known before the run, with the way out", async () => {
  const r = await rig();
  const why = () => whyUnpublishable(r.repo, r.control, { branch: "stint/p", base: r.base, resume });
  const waits = "until then, this run's commits are kept but do not reach the branch.";
  sh(r.user, "branch", "stint");
  expect(await why()).toBe(
    `Branch stint/p cannot exist beside branch stint. Rename stint with \`git branch -m stint stint-old\`; ${waits}`,
  );
  sh(r.user, "branch", "-m", "stint", "stint-old");
  const linked = join(r.root, "linked");
  sh(r.user, "worktree", "add", "-q", "-b", "stint/p", linked);
  expect(await why()).toBe(`Branch stint/p is checked out in ${linked}. Switch it to another branch; ${waits}`);
  write(linked, { x: "x" });
  const theirs = commitAll(linked);
  sh(linked, "checkout", "-q", "--detach");
  const aside = `stint/p-${theirs.slice(0, 8)}`;
  expect(await why()).toBe(
    `Branch stint/p has diverged: it is at ${theirs.slice(0, 12)}, the run is at ${r.base.slice(0, 12)}. Rename it with \`git branch -m stint/p ${aside}\`, or delete it with \`git branch -D stint/p\`; ${waits}`,
  );
  sh(r.user, "branch", "-m", "stint/p", aside);
  const lock = join(r.user, ".git/refs/heads/stint/p.lock");
  writeFileSync(lock, "");
  expect(await why()).toBe(
    `Branch stint/p cannot be moved: ${lock} exists. Wait for the git command that made it, or delete it if none runs; ${waits}`,
  );
  rmSync(lock);
  expect(await why()).toBeUndefined();
});

test("a branch that is absent, at the base or merged into it can follow a run, and looking changes nothing", async () => {
  const r = await rig();
  const behind = r.base;
  sh(r.user, "commit", "-q", "--allow-empty", "-m", "more");
  const base = sh(r.user, "rev-parse", "HEAD");
  for (const at of [null, base, behind]) {
    if (at !== null) sh(r.user, "branch", "-f", "stint/p", at);
    const before = bytesOf(r.user);
    expect(await whyUnpublishable(r.repo, r.control, { branch: "stint/p", base, resume })).toBeUndefined();
    expect(bytesOf(r.user)).toEqual(before);
  }
  renameSync(r.user, join(r.root, "moved"));
  expect(await whyUnpublishable(r.repo, r.control, { branch: "stint/p", base, resume })).toContain(
    "could not be published",
  );
});

test("a lock on the branch is removed if a git of ours left it when it was killed; the user's own stays", async () => {
  const r = await rig();
  const one = await next(r, r.base, "1");
  const what = { sha: one, branch: "stint/p", keepRef, known: r.base, resume };
  const lock = join(r.user, ".git/refs/heads/stint/p.lock");
  const leaveLock = (text: string) => {
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, text);
  };
  for (const theirs of ["", "0".repeat(40)]) {
    leaveLock(theirs);
    expect(await publish(r.repo, r.control, what)).toEqual({
      kind: "deferred",
      reason: "locked",
      why: `Branch stint/p cannot be moved: ${lock} exists. Wait for the git command that made it, or delete it if none runs, then run \`${resume}\`.`,
    });
    expect(readFileSync(lock, "utf8")).toBe(theirs);
  }
  for (const ours of [r.base, one]) {
    leaveLock(ours);
    expect(await publish(r.repo, r.control, what)).toEqual({ kind: "published" });
    expect(existsSync(lock)).toBe(false);
    sh(r.user, "branch", "-D", "-q", "stint/p");
  }
  leaveLock(`${r.base}\n`);
  expect(await whyUnpublishable(r.repo, r.control, { branch: "stint/p", base: r.base, resume })).toBeUndefined();
});

test("whatever is wrong in the user's repository defers with a sentence, and is published once it is right", async () => {
  const r = await rig();
  const one = await next(r, r.base, "1");
  const what = { sha: one, branch: "stint/p", keepRef, known: r.base, resume };
  const aside = join(r.root, "moved");
  const blocked = join(r.user, ".git/refs/stint");
  writeFileSync(blocked, "in the way");
  const inTheWay = await publish(r.repo, r.control, what);
  expect(inTheWay).toMatchObject({ kind: "deferred", reason: "failed" });
  expect(inTheWay.kind === "deferred" && inTheWay.why).toMatch(
    /^Branch stint\/p could not be published: .*\. The commits are safe .* run `stint resume p#1`\.$/s,
  );
  rmSync(blocked);
  renameSync(r.user, aside);
  expect(await publish(r.repo, r.control, what)).toMatchObject({ kind: "deferred", reason: "failed" });
  renameSync(aside, r.user);
  expect(await publish(r.repo, r.control, what)).toEqual({ kind: "published" });
  await expect(publish(r.repo, r.control, { ...what, sha: "HEAD" })).rejects.toThrow("Internal error");
});

test("what was published and then deleted by the user is sent again, whole", async () => {
  for (const path of ["a.txt", "b/c"]) {
    const r = await rig({ "a.txt": "a\n", "b/c": "c" });
    const one = await next(r, r.base, "line\n".repeat(500));
    await publish(r.repo, r.control, { sha: one, branch: "stint/p", keepRef, known: r.base, resume });
    sh(r.user, "branch", "-D", "-q", "stint/p");
    sh(r.user, "update-ref", "-d", keepRef);
    sh(r.user, "gc", "-q", "--prune=now");
    expect(() => sh(r.user, "cat-file", "-e", one)).toThrow();
    const two = await next(r, one, `${"line\n".repeat(500)}more\n`, path);
    expect(await publish(r.repo, r.control, { sha: two, branch: "stint/p", keepRef, known: one, resume })).toEqual({
      kind: "published",
    });
    expect(sh(r.user, "fsck", "--connectivity-only")).toBe("");
    expect(sh(r.user, "rev-list", "--count", "stint/p")).toBe("3");
  }
});

test("a keep ref that is ahead of what the journal knows is built upon", async () => {
  const r = await rig();
  const one = await next(r, r.base, "1");
  const two = await next(r, one, "2");
  await publish(r.repo, r.control, { sha: one, branch: "stint/p", keepRef, known: r.base, resume });
  expect(await publish(r.repo, r.control, { sha: two, branch: "stint/p", keepRef, known: r.base, resume })).toEqual({
    kind: "published",
  });
  expect(sh(r.user, "fsck", "--connectivity-only")).toBe("");
});

test("refs that cannot be written are named with the access they need; what git says otherwise is quoted", () => {
  expect(
    whyLocked(
      "fatal: prepare: cannot lock ref 'refs/heads/p': Unable to create '/r/.git/refs/heads/p.lock': Permission denied\n",
    ),
  ).toEqual({
    why: "/r/.git/refs/heads cannot be written (permission denied)",
    cure: "Give your user write access to it",
  });
  expect(
    whyLocked(
      "fatal: prepare: cannot lock ref 'refs/heads/stint/p': unable to create directory for .git/refs/heads/stint/p\n",
    ),
  ).toEqual({
    why: ".git/refs/heads/stint cannot be created",
    cure: "Give your user write access to .git/refs/heads",
  });
  expect(whyLocked("fatal: the moon is full.\n")).toEqual({ why: "fatal: the moon is full", cure: "Fix that" });
});
