import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { worktreesOf } from "../../../src/git/worktrees.ts";
import { around, rig, sh } from "../../rig/git.ts";

test("a linked worktree shares the common folder", async () => {
  const { root, user, base } = await rig();
  sh(user, "worktree", "add", "-q", "-b", "side", join(root, "linked"));
  const linked = await around(root, join(root, "linked"));
  expect(linked.repo.commonDir).toBe(join(user, ".git"));
  expect(linked.repo.root).toBe(join(root, "linked"));
  expect(linked.control.dir).toBe(join(user, ".git/stint/control.git"));
  expect(await worktreesOf(linked.repo)).toEqual([
    { ref: "refs/heads/main", path: user },
    { ref: "refs/heads/side", path: join(root, "linked") },
  ]);
  expect(sh((await linked.checkout()).dir, "rev-parse", "HEAD")).toBe(base);
});

test("a branch in the middle of a rebase counts as checked out", async () => {
  const { user, repo } = await rig();
  mkdirSync(join(user, ".git/rebase-merge"));
  writeFileSync(join(user, ".git/rebase-merge/head-name"), "refs/heads/topic\n");
  expect(await worktreesOf(repo)).toContainEqual({ ref: "refs/heads/topic", path: user });
});
