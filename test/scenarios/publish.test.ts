import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pinInUserRepo } from "../../src/git/control.ts";
import { publish } from "../../src/git/publish.ts";
import { next, rig, sh } from "../rig/git.ts";

const keepRef = "refs/stint/keep/r/tip";

test("a locked branch waits and the commits are kept", async () => {
  const r = await rig();
  sh(r.user, "branch", "stint/p");
  writeFileSync(join(r.user, ".git/refs/heads/stint/p.lock"), "");
  const one = await next(r, r.base, "1");
  expect(await publish(r.repo, r.control, { sha: one, branch: "stint/p", keepRef, known: r.base })).toMatchObject({
    reason: "locked",
  });
  expect(sh(r.user, "rev-parse", keepRef)).toBe(one);
});

test("a hundred tasks in a row are published by fast-forward", async () => {
  const r = await rig();
  let tip = r.base;
  for (let task = 1; task <= 100; task++) {
    const made = await next(r, tip, `task ${task}`);
    expect(await publish(r.repo, r.control, { sha: made, branch: "stint/p", keepRef, known: tip })).toEqual({
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
  const what = { sha: one, branch: "stint/p", keepRef, known: r.base };
  expect(await publish(r.repo, r.control, what)).toMatchObject({ kind: "deferred", reason: "locked" });
  expect([existsSync(lock), existsSync(theirs)]).toEqual([false, true]);
  expect(sh(r.user, "rev-parse", keepRef)).toBe(one);
  rmSync(theirs);
  writeFileSync(lock, "");
  expect(await publish(r.repo, r.control, what)).toEqual({ kind: "published" });
});
