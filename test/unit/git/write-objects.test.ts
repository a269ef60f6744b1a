import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { treeWithFile } from "../../../src/git/edit-tree.ts";
import { mergeOnTip } from "../../../src/git/merge-on-tip.ts";
import { git } from "../../../src/git/run.ts";
import { commitTree } from "../../../src/git/write-objects.ts";
import { ann, at, type Rig, rig, sh, write } from "../../rig/git.ts";

/** Puts content into the user's object store that nothing of theirs reaches: staged, then reset. */
function stageAndReset(r: Rig, files: Record<string, string>): void {
  write(r.user, files);
  sh(r.user, "add", "-A");
  sh(r.user, "write-tree");
  sh(r.user, "reset", "-q", "--hard");
}

function packsOf(r: Rig): string[] {
  return readdirSync(join(r.control.dir, "objects/pack")).filter((name) => name.endsWith(".pack"));
}

const looseIn = (dir: string, oid: string): boolean => existsSync(join(dir, oid.slice(0, 2), oid.slice(2)));

test("a candidate outlives gc in the user's repository, also where the user had staged the same content", async () => {
  for (const init of [[], ["--object-format=sha256"]]) {
    const r = await rig({ "a.txt": "a\n", "d/e/f": "f\n", "d/g": "g\n" }, init);
    const work = { "a.txt": "staged once\n", "d/e/f": "deep\n", "new/x": "x\n" };
    stageAndReset(r, work);
    const checkout = await r.checkout();
    write(checkout.dir, work);
    const taken = await r.take(checkout);
    const blob = sh(r.control.dir, "rev-parse", `${taken.commit}:a.txt`);
    // The hazard is real: git itself did not write what it found there.
    expect(looseIn(r.control.objectsDir, blob)).toBe(false);
    expect(looseIn(join(r.user, ".git/objects"), blob)).toBe(true);
    sh(r.user, "gc", "-q", "--prune=now");
    expect(() => sh(r.user, "cat-file", "-e", blob)).toThrow();
    expect(sh(r.control.dir, "fsck", "--connectivity-only", "--no-dangling", taken.commit)).toBe("");
    expect(sh(r.control.dir, "cat-file", "blob", `${taken.commit}:d/e/f`)).toBe("deep");
  }
});

test("a borrowed folder below folders of our own is found too", async () => {
  const r = await rig({ "d/e/f": "f\n", "d/g": "g\n" });
  const earlier = await r.checkout();
  write(earlier.dir, { elsewhere: "new\n" });
  await r.take(earlier);
  stageAndReset(r, { "d/e/f": "new\n" });
  const checkout = await r.checkout();
  write(checkout.dir, { "d/e/f": "new\n", "d/own": "o\n", own: "o\n" });
  const taken = await r.take(checkout);
  const folder = sh(r.control.dir, "rev-parse", `${taken.commit}:d/e`);
  expect(looseIn(r.control.objectsDir, folder)).toBe(false);
  sh(r.user, "gc", "-q", "--prune=now");
  expect(() => sh(r.user, "cat-file", "-e", folder)).toThrow();
  expect(sh(r.control.dir, "ls-tree", "-r", "--name-only", taken.commit)).toContain("d/e/f");
});

test("where nothing is borrowed, nothing is packed", async () => {
  const r = await rig({ "a.txt": "a\n", "d/e/f": "f\n", gone: "x" });
  const checkout = await r.checkout();
  write(checkout.dir, { "a.txt": "mine\n", "d/e/f": "mine too\n", "n/e/w": "new\n" });
  const taken = await r.take(checkout);
  expect(taken.problems).toEqual([]);
  expect(packsOf(r)).toEqual([]);
});

test("a merge result that the user once had outlives gc", async () => {
  const r = await rig({ a: "1\n2\n3\n4\n5\n6\n7\n", "d/b": "b\n" });
  const candidates = [];
  for (const text of ["one\n2\n3\n4\n5\n6\n7\n", "1\n2\n3\n4\n5\n6\nseven\n"]) {
    const checkout = await r.checkout();
    write(checkout.dir, { a: text });
    candidates.push(await r.take(checkout));
  }
  const [one, two] = candidates;
  if (!one || !two) throw new Error("two candidates were made");
  stageAndReset(r, { a: "one\n2\n3\n4\n5\n6\nseven\n" });
  const placed = await mergeOnTip(r.control, { tip: one.commit, base: r.base, candidate: two });
  const tree = placed.ok ? placed.value.tree : "";
  expect(looseIn(r.control.objectsDir, tree)).toBe(false);
  sh(r.user, "gc", "-q", "--prune=now");
  expect(sh(r.control.dir, "cat-file", "blob", `${tree}:a`)).toContain("seven");
});

test("a ticked box and its commit outlive gc, also where the user had the same file, folders and commit", async () => {
  const r = await rig({ "plans/x/plan.md": "- [ ] x\n", "a.txt": "a\n" });
  stageAndReset(r, { "plans/x/plan.md": "- [x] x\n" });
  const tree = await treeWithFile(r.control, r.base, { path: "plans/x/plan.md", bytes: Buffer.from("- [x] x\n") });
  expect(looseIn(r.control.objectsDir, tree)).toBe(false);
  const theirs = { dir: r.control.dir, objectsDir: join(r.user, ".git/objects") };
  const commit = { tree, parent: r.base, message: "m", identity: ann, at };
  const sha = await commitTree(theirs, commit);
  expect(await commitTree(r.control, commit)).toBe(sha);
  expect(looseIn(r.control.objectsDir, sha)).toBe(false);
  sh(r.user, "gc", "-q", "--prune=now");
  expect(() => sh(r.user, "cat-file", "-e", sha)).toThrow();
  expect(sh(r.control.dir, "fsck", "--connectivity-only", "--no-dangling", sha)).toBe("");
  expect(sh(r.control.dir, "show", `${sha}:plans/x/plan.md`)).toBe("- [x] x");
});

test("an edit of a tree leaves nothing behind in the control repository", async () => {
  const r = await rig();
  const before = readdirSync(r.control.dir);
  await treeWithFile(r.control, r.base, { path: "a.txt", bytes: Buffer.from("b\n") });
  await expect(treeWithFile(r.control, r.base, { path: "none", bytes: Buffer.alloc(0) })).rejects.toThrow("none");
  expect(readdirSync(r.control.dir)).toEqual(before);
});

test("an aborted call of git ends its process, which is not in the terminal's group", async () => {
  const r = await rig();
  const stop = new AbortController();
  const before = childrenOf(process.pid);
  const asked = git(["cat-file", "--batch"], {
    gitDir: r.control.dir,
    stdin: new PassThrough(),
    signal: stop.signal,
  });
  const [pid] = childrenOf(process.pid).filter((child) => !before.includes(child));
  if (pid === undefined) throw new Error("git was started");
  expect(groupOf(pid)).toBe(pid);
  stop.abort();
  await expect(asked).rejects.toThrow("abort");
  await expect.poll(() => childrenOf(process.pid).includes(pid)).toBe(false);
});

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

function processes(): Row[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,comm="], { encoding: "utf8" }).trim().split("\n");
  const ofGit = lines.filter((line) => line.endsWith(" git"));
  return ofGit.map((line) => {
    const [pid = 0, parent = 0, group = 0] = line.trim().split(/ +/).map(Number);
    return { pid, parent, group };
  });
}

function childrenOf(parent: number): number[] {
  return processes()
    .filter((row) => row.parent === parent)
    .map((row) => row.pid);
}

function groupOf(pid: number): number | undefined {
  return processes().find((row) => row.pid === pid)?.group;
}
