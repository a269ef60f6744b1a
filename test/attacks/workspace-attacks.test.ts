import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { restoreTree } from "../../src/workspace/restore.ts";
import { commitAll, around, rig, sh, tempDir, write } from "../rig/git.ts";
import { attempt, everything, trap } from "../rig/trap.ts";

test("attack 1: hooks in the workspace", async () => {
  const r = await rig();
  const checkout = await r.checkout();
  const { command, fired } = trap(r);
  mkdirSync(join(checkout.dir, ".git/hooks"));
  for (const hook of ["pre-commit", "post-index-change", "reference-transaction", "post-checkout"])
    symlinkSync(command, join(checkout.dir, ".git/hooks", hook));
  write(checkout.dir, { "a.txt": "b" });
  attempt(checkout.dir, "commit", "-qam", "x");
  expect(fired()).toBe(true);
  write(checkout.dir, { "a.txt": "c" });
  await everything(r, checkout);
  expect(fired()).toBe(false);
});

test("attack 3: filters through .gitattributes", async () => {
  const r = await rig();
  const checkout = await r.checkout();
  const { command, fired } = trap(r);
  appendFileSync(
    join(checkout.dir, ".git/config"),
    `[filter "evil"]\n\tclean = ${command}\n\tsmudge = ${command}\n\trequired = true\n`,
  );
  write(checkout.dir, { ".gitattributes": "* filter=evil\n", "a.txt": "c" });
  attempt(checkout.dir, "add", "-A");
  expect(fired()).toBe(true);
  await everything(r, checkout);
  expect(fired()).toBe(false);
});

test("attack 5: .git replaced by a file, a link, a commondir, or nothing", async () => {
  const r = await rig();
  const { command, fired } = trap(r);
  const evil = join(r.root, "evil-repo");
  mkdirSync(evil);
  sh(evil, "init", "-q");
  sh(evil, "config", "core.fsmonitor", command);
  const plants: ((dotGit: string) => void)[] = [
    (dotGit) => writeFileSync(dotGit, `gitdir: ${evil}/.git\n`),
    (dotGit) => symlinkSync(`${evil}/.git`, dotGit),
    (dotGit) => write(dotGit, { commondir: `${evil}/.git`, HEAD: "ref: refs/heads/x\n" }),
  ];
  for (const plant of plants) {
    const checkout = await r.checkout();
    rmSync(join(checkout.dir, ".git"), { recursive: true });
    plant(join(checkout.dir, ".git"));
    attempt(checkout.dir, "status");
    expect(fired()).toBe(true);
    write(checkout.dir, { "a.txt": "c" });
    expect((await r.take(checkout)).changes.map((change) => change.path)).toEqual(["a.txt"]);
    await everything(r, checkout);
    expect(fired()).toBe(false);
    expect(sh(checkout.dir, "rev-parse", "HEAD")).toBe(r.base);
  }
  const bare = await r.checkout();
  rmSync(join(bare.dir, ".git"), { recursive: true });
  write(bare.dir, { "a.txt": "c" });
  expect((await r.take(bare)).changes).toHaveLength(1);
});

test("attack 6: refs moved, objects pruned, files hidden by index bits, excludes and sparse checkout", async () => {
  const r = await rig({ "a.txt": "a", "b.txt": "b", "c/d": "d" });
  const checkout = await r.checkout();
  const { dir } = checkout;
  sh(dir, "update-index", "--skip-worktree", "a.txt");
  sh(dir, "update-index", "--assume-unchanged", "b.txt");
  writeFileSync(join(dir, ".git/info/exclude"), "*\n");
  write(dir, { "a.txt": "1", "b.txt": "2", new: "n" });
  expect(sh(dir, "status", "--porcelain")).toBe("");
  sh(dir, "config", "core.sparseCheckout", "true");
  write(dir, { ".git/info/sparse-checkout": "/nothing\n" });
  sh(dir, "update-ref", "-d", "refs/heads/stint/task");
  rmSync(join(dir, ".git/objects"), { recursive: true });
  const taken = await r.take(checkout);
  expect(taken.changes.map((change) => change.path)).toEqual(["a.txt", "b.txt", "new"]);
  expect(sh(r.user, "rev-parse", "main")).toBe(r.base);
  expect(sh(r.user, "fsck")).toBe("");
});

test("attack 7: nested repositories, gitlinks and .gitmodules are refused, and what else there is is kept", async () => {
  const r = await rig();
  const checkout = await r.checkout();
  for (const name of ["empty", "full"]) {
    mkdirSync(join(checkout.dir, name));
    sh(join(checkout.dir, name), "init", "-q");
  }
  sh(join(checkout.dir, "full"), "commit", "-q", "--allow-empty", "-m", "x");
  write(checkout.dir, { ".gitmodules": "[submodule]\n", "a.txt": "work" });
  // The control: plain git takes the repository inside for a commit of somebody else's, whose files nobody sees.
  sh(checkout.dir, "add", "full", ".gitmodules");
  expect(sh(checkout.dir, "ls-files", "--stage")).toMatch(/^160000 .*\tfull$/m);
  const taken = await r.take(checkout);
  expect(taken.problems.map((problem) => [problem.kind, problem.path])).toEqual([
    ["nested-repository", "empty/"],
    ["submodule", ".gitmodules"],
    ["nested-repository", "full"],
  ]);
  expect(sh(r.control.dir, "cat-file", "blob", `${taken.commit}:a.txt`)).toBe("work");
});

test("attack 7: a filter planted in a submodule's folder", async () => {
  const root = tempDir();
  const user = join(root, "user");
  mkdirSync(user);
  sh(user, "init", "-q");
  write(user, { "a.txt": "a" });
  const first = commitAll(user);
  sh(user, "update-index", "--add", "--cacheinfo", `160000,${first},sub`);
  sh(user, "commit", "-q", "-m", "submodule");
  const r = await around(root, user);
  const { command, fired } = trap(r);
  const honest = await r.checkout();
  write(honest.dir, { "a.txt": "b" });
  expect(await r.take(honest)).toMatchObject({ problems: [], changes: [{ path: "a.txt" }] });
  const checkout = await r.checkout();
  const sub = join(checkout.dir, "sub");
  sh(sub, "init", "-q");
  write(sub, { ".git/objects/info/alternates": `${user}/.git/objects\n` });
  sh(sub, "reset", "-q", "--hard", first);
  write(sub, { ".gitattributes": "* filter=evil\n", "a.txt": "2" });
  sh(sub, "config", "filter.evil.clean", command);
  sh(checkout.dir, "add", "-A");
  expect(fired()).toBe(true);
  write(checkout.dir, { "a.txt": "c" });
  const taken = await r.take(checkout);
  expect(fired()).toBe(false);
  expect(taken.problems.map((problem) => [problem.kind, problem.path])).toEqual([["submodule", "sub"]]);
  expect(taken.changes.map((change) => change.path)).toEqual(["a.txt"]);
});

test("attack 8: links that lead out are refused, honest ones pass", async () => {
  const r = await rig({ "d/e/f": "f", top: "t" });
  const bad: Record<string, string> = {
    abs: "/etc/passwd",
    "d/up": "../../x",
    "d/e/round": "f/../../../..",
    "d/hide": "../d/../top",
    git: ".git/config",
  };
  const good: Record<string, string> = { ok: "top", "d/ok": "../top", "d/e/deep": "./../../d/e/f", dangling: "later" };
  const checkout = await r.checkout();
  for (const [path, target] of Object.entries({ ...bad, ...good })) symlinkSync(target, join(checkout.dir, path));
  // The control: plain git takes them all, and whoever reads the file reads outside.
  sh(checkout.dir, "add", "--all");
  expect(sh(checkout.dir, "ls-files", "--stage").match(/^120000 /gm)).toHaveLength(9);
  expect(readFileSync(join(checkout.dir, "abs"), "utf8")).toContain("root:");
  const taken = await r.take(checkout);
  expect(taken.problems.map((problem) => problem.path).toSorted()).toEqual(Object.keys(bad).toSorted());
  expect(taken.problems.every((problem) => problem.kind === "symlink")).toBe(true);
});

test("attack 8: a workspace replaced by a link, a file or nothing is refused and not read", async () => {
  const r = await rig();
  const plants: ((dir: string) => void)[] = [
    (dir) => symlinkSync("/etc", dir),
    (dir) => writeFileSync(dir, "x"),
    () => undefined,
  ];
  for (const plant of plants) {
    const checkout = await r.checkout();
    renameSync(checkout.dir, `${checkout.dir}-moved`);
    plant(checkout.dir);
    // The control: a plain copy of what lies at that path holds what the link leads to.
    if (plant === plants[0]) expect(readdirSync(checkout.dir)).toContain("passwd");
    const taken = await r.take(checkout);
    expect(taken.problems.map((problem) => [problem.kind, problem.path])).toEqual([["unreadable", "."]]);
    expect(taken).toMatchObject({ empty: true, commit: r.base, tree: sh(r.user, "rev-parse", "HEAD^{tree}") });
    await expect(restoreTree(r.control, checkout)).rejects.toThrow(/not a folder|ENOENT/);
  }
});

test("pipes, foreign names and LFS files are problems, not crashes", async () => {
  const r = await rig({ ".gitattributes": "*.bin filter=lfs\n", "x.bin": "pointer", "a.txt": "a", b: "b" });
  const honest = await r.checkout();
  write(honest.dir, { b: "2" });
  expect((await r.take(honest)).problems).toEqual([]);
  const checkout = await r.checkout();
  rmSync(join(checkout.dir, "a.txt"));
  execFileSync("mkfifo", [join(checkout.dir, "a.txt"), join(checkout.dir, "new-pipe")]);
  write(checkout.dir, { "x.bin": "changed", ".gitattributes": "", ".GIT/config": "x", b: "work" });
  writeFileSync(Buffer.concat([Buffer.from(`${checkout.dir}/n`), Buffer.from([0xff])]), "x");
  const taken = await r.take(checkout);
  expect(taken.problems.map((problem) => [problem.kind, problem.path])).toEqual([
    ["unreadable", "a.txt"],
    ["unreadable", ".GIT/config"],
    ["unreadable", ".GIT/config"],
    ["name", "n\uFFFD"],
    ["filtered", "x.bin"],
  ]);
  expect(sh(r.control.dir, "cat-file", "blob", `${taken.commit}:b`)).toBe("work");
});

test.skipIf(process.getuid?.() === 0)(
  "a file nobody may read is a problem (needs a user other than root)",
  async () => {
    const r = await rig();
    const checkout = await r.checkout();
    write(checkout.dir, { secret: "s", "locked/x": "x" });
    chmodSync(join(checkout.dir, "secret"), 0o000);
    chmodSync(join(checkout.dir, "locked"), 0o000);
    const taken = await r.take(checkout);
    chmodSync(join(checkout.dir, "locked"), 0o700);
    expect(taken.problems.map((problem) => problem.path).toSorted()).toEqual(["locked/", "secret", "secret"]);
  },
);
