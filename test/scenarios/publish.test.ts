import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pinInUserRepo } from "../../src/git/control.ts";
import { publish } from "../../src/git/publish.ts";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { next, rig, sh } from "../rig/git.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

const resume = "stint resume p#1";
const keepRef = "refs/stint/keep/r/tip";

test("A branch that has diverged is left alone and reported; run publishes it once it was renamed, and says when it is merged.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  const foreign = rig.git("commit-tree", "-m", "Someone else's work", "-p", "HEAD", "HEAD^{tree}");
  rig.git("branch", "stint/work", foreign);

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 3);
  const rename = `git branch -m stint/work stint/work-${foreign.slice(0, 8)}`;
  expect(run.stderr.split(rename)).toHaveLength(3);
  expect(rig.git("rev-parse", "stint/work")).toBe(foreign);
  expect(rig.events("task-integrated")).toHaveLength(1);
  expect((await rig.stint(["list"])).stdout).toBe("work  done, 1 of 1, not on stint/work  stint status work#1\n");

  rig.git(...rename.split(" ").slice(1));
  expectCode(await rig.stint(["run"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);

  const hint = "When you are happy with it: `git merge stint/work`";
  expect((await rig.stint(["status"])).stderr).toContain(hint);
  rig.git("merge", "--quiet", "--no-ff", "--no-edit", "stint/work");
  rig.git("branch", "--quiet", "-D", "stint/work");
  expect((await rig.stint(["status"])).stderr).toBe("Merged: main has this work.\n");
  expect(await rig.status()).toMatchObject({ merged: true });
  expect((await rig.stint(["report"])).stdout).not.toContain("### Merge");
  const again = await rig.stint(["run"]);
  expectCode(again, 0);
  expect(again.stderr).toContain("Merged: main has this work.");
});

test("A branch that is freed while the run is in progress gets the work at once by `stint resume`; before that, nothing is to be resumed.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    moves: { "01-a": writes("a.txt"), "02-b": [{ hold: "mid" }, ...writes("b.txt")] },
  });
  const linked = join(rig.root, "linked");
  rig.git("worktree", "add", "--quiet", "-b", "stint/work", linked);
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("mid");
  expect(rig.events("publish-deferred")).toHaveLength(1);
  rig.git("worktree", "remove", linked);

  const resumed = await rig.stint(["resume", "work"]);

  expectCode(resumed, 0);
  expect(resumed.stdout).toMatch(/^Process \d+ tries again to share the work of run work#1\.\n$/);
  await run.waitForEvent("published");
  expect(commitsOf(rig)).toEqual(["01-a"]);
  const again = await rig.stint(["resume", "work"]);
  expectCode(again, 1);
  expect(again.stderr).toContain("is already running plan work");
  rig.release("mid");
  expectCode(await run.ended, 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  expect(rig.events("attempt-started")).toHaveLength(2);
});

test("a locked branch waits and the commits are kept", async () => {
  const r = await rig();
  sh(r.user, "branch", "stint/p");
  writeFileSync(join(r.user, ".git/refs/heads/stint/p.lock"), "");
  const one = await next(r, r.base, "1");
  expect(
    await publish(r.repo, r.control, { sha: one, branch: "stint/p", keepRef, known: r.base, resume }),
  ).toMatchObject({
    reason: "locked",
  });
  expect(sh(r.user, "rev-parse", keepRef)).toBe(one);
});

test("a hundred tasks in a row are published by fast-forward", async () => {
  const r = await rig();
  let tip = r.base;
  for (let task = 1; task <= 100; task++) {
    const made = await next(r, tip, `task ${task}`);
    expect(await publish(r.repo, r.control, { sha: made, branch: "stint/p", keepRef, known: tip, resume })).toEqual({
      kind: "published",
    });
    tip = made;
  }
  expect(sh(r.user, "rev-list", "--count", `${r.base}..stint/p`)).toBe("100");
  expect(readdirSync(join(r.user, ".git")).filter((name) => name === "FETCH_HEAD")).toEqual([]);
});

test("a lock a dead process left on a keep ref goes; the user's lock on the branch stays and only defers", async () => {
  const r = await rig();
  sh(r.user, "branch", "stint/p");
  const lock = join(r.user, ".git", `${keepRef}.lock`);
  const theirs = join(r.user, ".git/refs/heads/stint/p.lock");
  mkdirSync(join(r.user, ".git/refs/stint/keep/r"), { recursive: true });
  writeFileSync(lock, "");
  expect(() => sh(r.user, "update-ref", keepRef, r.base)).toThrow("File exists");
  await pinInUserRepo(r.repo, keepRef, r.base);
  expect(sh(r.user, "rev-parse", keepRef)).toBe(r.base);
  writeFileSync(lock, "");
  writeFileSync(theirs, "");
  const one = await next(r, r.base, "1");
  const what = { sha: one, branch: "stint/p", keepRef, known: r.base, resume };
  expect(await publish(r.repo, r.control, what)).toMatchObject({ kind: "deferred", reason: "locked" });
  expect([existsSync(lock), existsSync(theirs)]).toEqual([false, true]);
  expect(sh(r.user, "rev-parse", keepRef)).toBe(one);
  rmSync(theirs);
  writeFileSync(lock, "");
  expect(await publish(r.repo, r.control, what)).toEqual({ kind: "published" });
});
