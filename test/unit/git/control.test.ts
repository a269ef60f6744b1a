import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openControl, pinInUserRepo } from "../../../src/git/control.ts";
import { rig, sh, write, commitAll } from "../../rig/git.ts";
import { listTree } from "../../../src/git/objects.ts";

test("what a killed first start left half made is removed by the next one, and nothing else is", async () => {
  const { user, repo } = await rig();
  const state = join(user, ".git/stint");
  write(state, { "control.new-aBc123/config": "[core", "controls.txt": "not ours\n" });
  await openControl(repo, state);
  expect(readdirSync(state).toSorted()).toEqual(["control.git", "controls.txt"]);
});

test("of many first starts at once all find the same whole repository, and leave nothing", async () => {
  const { user, repo } = await rig();
  const state = join(user, ".git/another");
  mkdirSync(state);
  const controls = await Promise.all(Array.from({ length: 20 }, async () => openControl(repo, state)));
  for (const { dir } of controls) expect(existsSync(join(dir, "HEAD"))).toBe(true);
  expect(readdirSync(state).filter((name) => name.startsWith("control"))).toEqual(["control.git"]);
  expect(sh(join(state, "control.git"), "rev-parse", "--is-bare-repository")).toBe("true");
});

test("the control repository is private, opened twice without change, and repaired", async () => {
  const { user, repo, control, base } = await rig();
  expect(statSync(control.dir).mode & 0o777).toBe(0o700);
  const config = readFileSync(join(control.dir, "config"), "utf8");
  rmSync(join(control.dir, "HEAD"));
  rmSync(join(control.dir, "objects/info/alternates"));
  writeFileSync(join(user, ".git/info/exclude"), "secret");
  const again = await openControl(repo, join(user, ".git/stint"));
  expect(readFileSync(join(control.dir, "config"), "utf8")).toBe(config);
  expect(again.exclude).toContain("secret\n");
  expect((await listTree(again, base, { sizes: true }))[0]).toMatchObject({ path: "a.txt", size: 2, mode: "100644" });
});

test("a pinned base survives gc in the user's repository; an unpinned one does not", async () => {
  const { user, repo, control, base } = await rig();
  write(user, { b: "b" });
  const pinned = commitAll(user);
  write(user, { b: "c" });
  const lost = commitAll(user);
  sh(user, "reset", "-q", "--hard", base);
  await pinInUserRepo(repo, "refs/stint/keep/r/base", pinned);
  sh(user, "reflog", "expire", "--expire=now", "--all");
  sh(user, "gc", "-q", "--prune=now");
  expect((await listTree(control, pinned)).map((entry) => entry.path)).toEqual(["a.txt", "b"]);
  await expect(listTree(control, lost)).rejects.toThrow("ls-tree");
  await expect(pinInUserRepo(repo, "refs/heads/main", base)).rejects.toThrow("refs/stint/keep");
});
