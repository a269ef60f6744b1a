import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openControl, pinInUserRepo } from "../../../src/git/control.ts";
import { absoluteSearchPath } from "../../../src/base/search-path.ts";
import { listTree } from "../../../src/git/objects.ts";
import { git, gitOk } from "../../../src/git/run.ts";
import { commitPaths, dirtyPaths } from "../../../src/git/user-commit.ts";
import { head, identity, openUserRepo } from "../../../src/git/user-repo.ts";
import { worktreesOf } from "../../../src/git/worktrees.ts";
import { around, commitAll, open, rig, sh, tempDir, write } from "../../rig/git.ts";

test("a repository is found from a folder inside it", async () => {
  const { user, base } = await rig({ "deep/er/a": "a" });
  const repo = await open(join(user, "deep/er"));
  expect(repo).toMatchObject({
    root: user,
    gitDir: join(user, ".git"),
    commonDir: join(user, ".git"),
    objectFormat: "sha1",
  });
  expect(await head(repo)).toEqual({ sha: base, branch: "main" });
  sh(user, "checkout", "-q", "--detach");
  expect(await head(repo)).toEqual({ sha: base, branch: null });
});

async function reason(dir: string): Promise<string> {
  const opened = await openUserRepo(dir);
  return opened.ok ? "ok" : opened.failure.reason;
}

test("folders Stint cannot work in are named with the cure", async () => {
  const root = tempDir();
  for (const name of ["none", "empty", "bare"]) mkdirSync(join(root, name));
  sh(join(root, "empty"), "init", "-q");
  sh(join(root, "bare"), "init", "-q", "--bare");
  expect(await reason(join(root, "none"))).toBe("not-a-repository");
  expect(await reason(join(root, "empty"))).toBe("no-commits");
  expect(await reason(join(root, "empty/.git"))).toBe("no-work-tree");
  expect(await reason(join(root, "bare"))).toBe("bare");
  const { user } = await rig();
  sh(user, "config", "remote.origin.promisor", "true");
  expect(await reason(user)).toBe("partial-clone");
});

test("a path with a newline, a quote and a space works from end to end", async () => {
  const root = tempDir();
  const user = join(root, '"odd\n na"me ü');
  mkdirSync(user);
  sh(user, "init", "-q");
  write(user, { "a\nb c ü": "x" });
  commitAll(user);
  const odd = await around(root, user);
  expect(odd.repo.root).toBe(user);
  const checkout = await odd.checkout();
  write(checkout.dir, { "a\nb c ü": "y", "new\n": "z" });
  const taken = await odd.take(checkout);
  expect(taken.changes.map((change) => change.path)).toEqual(["a\nb c ü", "new\n"]);
  expect(sh(checkout.dir, "log", "--format=%s")).toBe("change");
});

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

test("sha256 and shallow repositories work", async () => {
  const sha256 = await rig({ "d/a": "a" }, ["--object-format=sha256"]);
  const checkout = await sha256.checkout();
  write(checkout.dir, { "d/a": "b" });
  expect((await sha256.take(checkout)).commit).toMatch(/^[0-9a-f]{64}$/);
  expect(sh(checkout.dir, "status", "--porcelain")).toBe("M d/a".padStart(6));

  const { root, user } = await rig();
  write(user, { b: "b" });
  commitAll(user);
  sh(root, "clone", "-q", "--depth=1", `file://${user}`, "shallow");
  const shallow = await around(root, join(root, "shallow"));
  expect(sh((await shallow.checkout()).dir, "log", "--format=%s")).toBe("change");
});

test("the identity is what git commit would write, or a failure with the two commands", async () => {
  const { user, repo } = await rig();
  vi.stubEnv("HOME", "/nonexistent");
  sh(user, "config", "user.useConfigOnly", "true");
  const none = await identity(repo);
  expect(!none.ok && none.failure.message).toContain("git config --global user.name");
  sh(user, "config", "user.name", "Ann Other");
  sh(user, "config", "user.email", "ann@example.com");
  expect(await identity(repo)).toEqual({ ok: true, value: { name: "Ann Other", email: "ann@example.com" } });
  vi.unstubAllEnvs();
});

test("exactly the given files are committed, by the user's own rules", async () => {
  const { user, repo } = await rig({ a: "a", "*": "star", b: "b" });
  sh(user, "config", "user.name", "Ann");
  sh(user, "config", "user.email", "ann@example.com");
  writeFileSync(join(user, ".git/hooks/pre-commit"), "#!/bin/sh\ntouch hook-ran\n");
  chmodSync(join(user, ".git/hooks/pre-commit"), 0o755);
  write(user, { a: "a2", "*": "star2", "plans/new.md": "n", b: "b2" });
  sh(user, "add", "b");
  expect(await dirtyPaths(repo, ["*", "plans"])).toEqual(["*", "plans/new.md"]);
  const made = await commitPaths(repo, ["*", "plans/new.md"], "Approve");
  expect(made).toEqual({ ok: true, value: sh(user, "rev-parse", "HEAD") });
  expect(sh(user, "show", "--name-only", "--format=%s")).toBe("Approve\n\n*\nplans/new.md");
  expect(sh(user, "diff", "--cached", "--name-only")).toBe("b");
  expect(existsSync(join(user, "hook-ran"))).toBe(true);
  writeFileSync(join(user, ".git/hooks/pre-commit"), "#!/bin/sh\necho no >&2; exit 1\n");
  const refused = await commitPaths(repo, ["a"], "No");
  expect(!refused.ok && refused.failure.message).toBe("git commit failed: no");
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

test("no inherited variable re-points git, and a hostile one would", async () => {
  const { user, root } = await rig();
  const fired = join(root, "fired");
  const config = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "alias.x", GIT_CONFIG_VALUE_0: `!touch ${fired}` };
  execFileSync("git", ["x"], { cwd: user, env: { ...process.env, ...config } });
  expect(existsSync(fired)).toBe(true);
  rmSync(fired);
  for (const [name, value] of Object.entries(config)) vi.stubEnv(name, value);
  vi.stubEnv("GIT_DIR", "/nonexistent");
  expect((await git(["x"], { cwd: user })).code).not.toBe(0);
  expect((await open(user)).root).toBe(user);
  expect(existsSync(fired)).toBe(false);
  vi.unstubAllEnvs();
  expect(absoluteSearchPath("/bin:.:bin::/usr/bin")).toBe("/bin:/usr/bin");
});

test("a call can be aborted, and a failing one says the command and git's words", async () => {
  const { control } = await rig();
  const abort = new AbortController();
  const call = git(["cat-file", "--batch"], {
    gitDir: control.dir,
    stdin: new (await import("node:stream")).PassThrough(),
    signal: abort.signal,
  });
  abort.abort();
  await expect(call).rejects.toThrow("abort");
  await expect(gitOk(["no-such"], { gitDir: control.dir })).rejects.toThrow(
    "git no-such failed with exit code 1: git: 'no-such' is not a git command",
  );
});
