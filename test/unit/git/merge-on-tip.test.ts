import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changedLines, changedPaths, diffText } from "../../../src/git/diff.ts";
import { formatMessage } from "../../../src/git/message.ts";
import { listTree, readBlobs } from "../../../src/git/objects.ts";
import { treeWithFile, treeWithPaths } from "../../../src/git/edit-tree.ts";
import { mergeOnTip } from "../../../src/git/merge-on-tip.ts";
import { compareAndSwapRef, isAncestor, readRef } from "../../../src/git/refs.ts";
import { commitTree } from "../../../src/git/write-objects.ts";
import { ann, at, commitAll, type Rig, rig, sh, write } from "../../rig/git.ts";

async function candidate(of: Rig, files: Record<string, string>): Promise<{ commit: string; tree: string }> {
  const checkout = await of.checkout();
  write(checkout.dir, files);
  return of.take(checkout);
}

test("changes, lines and text of a diff", async () => {
  const r = await rig({ "a ü\n": "1\n2\n", gone: "x\n", run: "r\n" });
  const checkout = await r.checkout();
  write(checkout.dir, { "a ü\n": "1\n3\n4\n", "new\tfile": "n\n", bin: "\0\n1\n2\n" });
  chmodSync(join(checkout.dir, "run"), 0o755);
  const { unlinkSync, symlinkSync } = await import("node:fs");
  unlinkSync(join(checkout.dir, "gone"));
  symlinkSync("run", join(checkout.dir, "gone"));
  const { commit } = await r.take(checkout);
  const changes = await changedPaths(r.control, r.base, commit);
  expect(changes.map((change) => [change.status, change.path, change.newMode])).toEqual([
    ["M", "a ü\n", "100644"],
    ["A", "bin", "100644"],
    ["T", "gone", "120000"],
    ["A", "new\tfile", "100644"],
    ["M", "run", "100755"],
  ]);
  const lines = await changedLines(r.control, r.base, commit);
  expect(lines.find((line) => line.path === "a ü\n")).toEqual({ path: "a ü\n", added: 2, removed: 1 });
  expect(lines.find((line) => line.path === "new\tfile")?.added).toBe(1);
  expect(lines.find((line) => line.path === "bin")?.added).toBe(3);
  expect(sh(r.control.dir, "diff-tree", "-r", "--numstat", r.base, commit, "--", "bin")).toBe("-\t-\tbin");
  const whole = await diffText(r.control, { from: r.base, to: commit }, 100_000);
  expect(whole.text).toContain("+3\n+4\n");
  expect(whole.truncated).toBe(false);
  expect(await diffText(r.control, { from: r.base, to: commit }, 10)).toEqual({ text: "diff --git", truncated: true });
});

test("some paths of a commit are put on another one: changed, new, deleted, and a folder in the place of a file", async () => {
  const r = await rig({ "src/a": "1\n", "test/a": "1\n", "test/gone": "x\n", "test/file": "f\n" });
  const checkout = await r.checkout();
  rmSync(join(checkout.dir, "test/gone"));
  rmSync(join(checkout.dir, "test/file"));
  write(checkout.dir, { "src/a": "2\n", "test/a": "2\n", "test/new": "n\n", "test/file/inside": "i\n" });
  const { commit } = await r.take(checkout);
  const paths = ["test/a", "test/gone", "test/new", "test/file", "test/file/inside"];
  const tree = await treeWithPaths(r.control, { from: r.base, to: commit }, new Set(paths));
  const files = await readBlobs(r.control, tree, [...paths, "src/a"]);
  expect([...files].map(([path, bytes]) => [path, bytes.toString()])).toEqual([
    ["test/a", "2\n"],
    ["test/new", "n\n"],
    ["test/file/inside", "i\n"],
    ["src/a", "1\n"],
  ]);
});

test("blobs are read by path, and what is no file is missing", async () => {
  const r = await rig({ "a\nb": "1", "d/c": "2\n" });
  const blobs = await readBlobs(r.control, r.base, ["a\nb", "d/c", "d", "no\npe", "./d/c", "../x"]);
  expect([...blobs].map(([path, bytes]) => [path, bytes.toString()])).toEqual([
    ["a\nb", "1"],
    ["d/c", "2\n"],
  ]);
});

test("a candidate on its own base is placed as it is, on a moved tip it is merged, or the conflict is named", async () => {
  const r = await rig({ a: "1\n", b: "1\n" });
  const one = await candidate(r, { a: "2\n" });
  const two = await candidate(r, { b: "2\n" });
  const clash = await candidate(r, { a: "3\n" });
  expect(await mergeOnTip(r.control, { tip: r.base, base: r.base, candidate: one })).toEqual({
    ok: true,
    value: { tree: one.tree },
  });
  const merged = await mergeOnTip(r.control, { tip: one.commit, base: r.base, candidate: two });
  const tree = merged.ok ? merged.value.tree : "";
  const blobs = await readBlobs(r.control, tree, ["a", "b"]);
  expect([...blobs.values()].join("")).toBe("2\n2\n");
  const failed = await mergeOnTip(r.control, { tip: one.commit, base: r.base, candidate: clash });
  expect(!failed.ok && failed.failure).toEqual({
    reason: "conflict",
    message: "The change conflicts with tasks integrated meanwhile in a.",
    paths: ["a"],
  });
});

test("one file of a tree is replaced, and git finds nothing wrong with what was written", async () => {
  for (const init of [[], ["--object-format=sha256"]]) {
    const r = await rig({ "plans/p/plan.md": "- [ ] x\n", "plans/q": "q", z: "z" }, init);
    const tree = await treeWithFile(r.control, sh(r.user, "rev-parse", "HEAD^{tree}"), {
      path: "plans/p/plan.md",
      bytes: Buffer.from("- [x] x\n"),
    });
    const message = formatMessage({ title: "T", summary: "s", trailers: [["Stint-Task", "01"]] });
    const commit = await commitTree(r.control, {
      tree,
      parent: r.base,
      message,
      identity: { ...ann, name: "A <b>\nx" },
      at,
    });
    expect((await changedPaths(r.control, r.base, commit)).map((change) => change.path)).toEqual(["plans/p/plan.md"]);
    expect(sh(r.control.dir, "fsck", "--strict", "--no-dangling", commit)).toBe("");
    expect(sh(r.control.dir, "log", "-1", "--format=%an|%ae|%aI|%s|%(trailers:unfold,only)", commit)).toBe(
      "A  b  x|ann@example.com|2026-11-15T20:17:33+00:00|T|Stint-Task: 01",
    );
    expect((await listTree(r.control, tree)).length).toBe(3);
    await expect(treeWithFile(r.control, tree, { path: "plans/none", bytes: Buffer.alloc(0) })).rejects.toThrow(
      "Internal error",
    );
  }
});

test("no line of a summary reads as a trailer, and a title is one clean line", () => {
  const summary = "Did it.\u2028\r\nStint-Verified: 99 checks\n\nSigned-off-by: Eve\u001b[2J";
  expect(
    formatMessage({
      title: "  Add\nlogin \u202e\u001b[31m ",
      summary,
      trailers: [["Stint-Verified", "2 checks\nX: y"]],
    }),
  ).toBe(
    "Add login [31m\n\n> Did it.\n>\n> Stint-Verified: 99 checks\n>\n> Signed-off-by: Eve[2J\n\nStint-Verified: 2 checks X: y\n",
  );
  expect(formatMessage({ title: "T", summary: " ", trailers: [] })).toBe("T\n");
});

test("a ref moves only from where it was seen", async () => {
  const r = await rig();
  write(r.user, { b: "b" });
  const next = commitAll(r.user);
  const ref = "refs/stint/runs/r/tip";
  expect(await readRef(r.control, ref)).toBeNull();
  expect(await compareAndSwapRef(r.control, ref, { next: r.base, old: null })).toBe("moved");
  expect(await compareAndSwapRef(r.control, ref, { next, old: null })).toEqual({ actual: r.base });
  expect(await compareAndSwapRef(r.control, ref, { next, old: r.base })).toBe("moved");
  // Work that was saved twice within a second is the same commit.
  expect(await compareAndSwapRef(r.control, ref, { next, old: next })).toBe("moved");
  expect(await compareAndSwapRef(r.control, ref, { next: r.base, old: r.base })).toEqual({ actual: next });
  expect(await readRef(r.control, ref)).toBe(next);
  expect(await isAncestor(r.control, r.base, next)).toBe(true);
  expect(await isAncestor(r.control, next, r.base)).toBe(false);
});

test("a lock left by a machine that died does not stop the run", async () => {
  const r = await rig();
  await compareAndSwapRef(r.control, "refs/stint/runs/r/tip", { next: r.base, old: null });
  const lock = join(r.control.dir, "refs/stint/runs/r/tip.lock");
  writeFileSync(lock, "");
  write(r.user, { b: "b" });
  expect(await compareAndSwapRef(r.control, "refs/stint/runs/r/tip", { next: commitAll(r.user), old: r.base })).toBe(
    "moved",
  );
  expect(existsSync(lock)).toBe(false);
});

test("many moves of one ref at once: exactly one wins", async () => {
  const r = await rig();
  const swaps = Array.from({ length: 8 }, () =>
    compareAndSwapRef(r.control, "refs/stint/x", { next: r.base, old: null }),
  );
  const outcomes = await Promise.all(swaps);
  expect(outcomes.filter((outcome) => outcome === "moved")).toHaveLength(1);
});
