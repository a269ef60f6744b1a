import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCheckout, removeCheckout } from "../../../src/workspace/checkout.ts";
import { restoreTree } from "../../../src/workspace/restore.ts";
import { untrackedPaths } from "../../../src/workspace/snapshot.ts";
import { ann, around, rig, sh, tempDir, write } from "../../rig/git.ts";

test("a checkout is a clean clone of its own in which git works", async () => {
  const r = await rig({ "a.txt": "a\n", "d/run.sh": "#!/bin/sh\n" });
  const checkout = await r.checkout();
  const { dir } = checkout;
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(sh(dir, "status", "--porcelain", "--branch")).toBe("## stint/task");
  expect(sh(dir, "remote")).toBe("");
  expect(sh(dir, "log", "--format=%H")).toBe(r.base);
  write(dir, { "a.txt": "b\n" });
  expect(sh(dir, "diff", "--stat")).toContain("a.txt");
  execFileSync("git", ["commit", "-qam", "mine"], {
    cwd: dir,
    env: { PATH: process.env["PATH"], HOME: "/nonexistent" },
  });
  expect(sh(dir, "log", "-1", "--format=%an %s")).toBe("Ann mine");
  sh(dir, "gc", "-q", "--prune=now");
  expect(sh(r.user, "status", "--porcelain")).toBe("");
  const detached = await createCheckout(r.control, {
    dir: join(r.root, "detached"),
    commit: r.base,
    branch: null,
    identity: ann,
  });
  expect(sh(detached.dir, "rev-parse", "--abbrev-ref", "HEAD")).toBe("HEAD");
});

test("work is snapshotted on its base, excludes are honoured, set-up's files are not the agent's", async () => {
  const r = await rig({ "a.txt": "a\n", ".gitignore": "dist/\n" });
  writeFileSync(join(r.user, ".git/info/exclude"), "*.secret\n");
  const again = await around(r.root, r.user);
  const checkout = await again.checkout();
  write(checkout.dir, { "made by setup": "s", "gen/x": "x" });
  const exclude = await untrackedPaths(again.control, checkout);
  expect(exclude).toEqual(["gen/x", "made by setup"]);
  write(checkout.dir, { "a.txt": "b\n", "dist/out": "o", "x.secret": "s", "gen/y": "y", "made by setup": "s2" });
  const taken = await again.take(checkout, exclude);
  expect(taken.problems).toEqual([]);
  expect(taken.changes.map((change) => `${change.status} ${change.path}`)).toEqual(["M a.txt", "A gen/y"]);
  expect(sh(again.control.dir, "rev-parse", `${taken.commit}^`)).toBe(again.base);
  expect(sh(again.control.dir, "for-each-ref", "--format=%(objectname)", "refs/stint/rescue")).toBe(taken.commit);
  expect((await again.take(checkout, exclude)).tree).toBe(taken.tree);
});

test("nothing changed is empty and makes no commit", async () => {
  const r = await rig();
  const checkout = await r.checkout();
  sh(checkout.dir, "commit", "-q", "--allow-empty", "-m", "noise");
  expect(await r.take(checkout)).toMatchObject({ empty: true, commit: r.base, changes: [], problems: [] });
});

test("a change of the same size within the same second as the checkout is seen", async () => {
  const r = await rig({ "a.txt": "aaaa" });
  const checkout = await r.checkout();
  const { mtime } = statSync(join(checkout.dir, "a.txt"));
  writeFileSync(join(checkout.dir, "a.txt"), "bbbb");
  utimesSync(join(checkout.dir, "a.txt"), mtime, mtime);
  expect((await r.take(checkout)).changes.map((change) => change.path)).toEqual(["a.txt"]);
});

test("CRLF with autocrlf: the checkout has CRLF, the candidate only what was edited", async () => {
  const root = tempDir();
  const user = join(root, "user");
  mkdirSync(user);
  sh(user, "init", "-q");
  sh(user, "config", "core.autocrlf", "true");
  write(user, { a: "1\r\n2\r\n", b: "x\r\n" });
  sh(user, "add", "-A");
  sh(user, "commit", "-q", "-m", "base");
  const r = await around(root, user);
  const checkout = await r.checkout();
  expect(readFileSync(join(checkout.dir, "a"), "utf8")).toBe("1\r\n2\r\n");
  expect(sh(checkout.dir, "status", "--porcelain")).toBe("");
  expect(await restoreTree(r.control, checkout)).toEqual([]);
  expect(await restoreTree(r.control, checkout)).toEqual([]);
  write(checkout.dir, { a: "1\n2\n" });
  expect(await restoreTree(r.control, checkout)).toEqual(["a"]);
  write(checkout.dir, { a: "1\r\n3\r\n" });
  const taken = await r.take(checkout);
  expect(taken.changes.map((change) => change.path)).toEqual(["a"]);
  expect(sh(r.control.dir, "cat-file", "blob", `${taken.commit}:a`)).toBe("1\n3");
});

test("every tracked file that a check changed is put back and named, whatever its times say", async () => {
  const r = await rig({ same: "1111", run: "r", "d/gone": "g", "e/f": "f", link: "l", "ü\n": "u", kept: "k" });
  const checkout = await r.checkout();
  const path = (name: string): string => join(checkout.dir, name);
  const { mtime } = statSync(path("same"));
  writeFileSync(path("same"), "2222");
  utimesSync(path("same"), mtime, mtime);
  chmodSync(path("run"), 0o755);
  rmSync(path("d"), { recursive: true });
  write(r.root, { "evil/f": "f" });
  rmSync(path("e"), { recursive: true });
  symlinkSync(join(r.root, "evil"), path("e"));
  rmSync(path("link"));
  execFileSync("mkfifo", [path("link")]);
  rmSync(path("ü\n"));
  mkdirSync(path("ü\n"));
  write(checkout.dir, { "untracked.o": "o" });
  rmSync(path(".git"), { recursive: true });
  writeFileSync(path(".git"), "gitdir: /nonexistent\n");
  expect(await restoreTree(r.control, checkout)).toEqual(["d/gone", "e/f", "link", "run", "same", "ü\n"]);
  expect(await restoreTree(r.control, checkout)).toEqual([]);
  expect(sh(checkout.dir, "status", "--porcelain")).toBe("?? untracked.o");
  expect(readFileSync(join(r.root, "evil/f"), "utf8")).toBe("f");
});

test("removal copes with names that are not UTF-8 and folders without permission", async () => {
  const r = await rig();
  const checkout = await r.checkout();
  writeFileSync(Buffer.concat([Buffer.from(`${checkout.dir}/`), Buffer.from([0xff, 0xfe])]), "x");
  mkdirSync(join(checkout.dir, "locked/in"), { recursive: true });
  chmodSync(join(checkout.dir, "locked"), 0o000);
  await removeCheckout(checkout.dir);
  expect(existsSync(checkout.dir)).toBe(false);
  expect(existsSync(checkout.index)).toBe(false);
  await removeCheckout(checkout.dir);
});
