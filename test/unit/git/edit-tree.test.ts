import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatMessage } from "../../../src/git/commit-message.ts";
import { changedPaths } from "../../../src/git/diff.ts";
import {
  treeWithFile,
  treeWithFiles,
  treeWithFolder,
  treeWithPaths,
  type NewFile,
} from "../../../src/git/edit-tree.ts";
import { listTree, readBlobs } from "../../../src/git/objects.ts";
import { commitTree } from "../../../src/git/write-objects.ts";
import { ann, at, commitAll, rig, sh, write, type Rig } from "../../rig/git.ts";

function files(texts: Record<string, string>): Map<string, NewFile> {
  return new Map(Object.entries(texts).map(([path, text]) => [path, { bytes: Buffer.from(text) }]));
}

async function replaced(r: Rig, path: string, folder: Map<string, NewFile>): Promise<string> {
  const tree = await treeWithFiles(r.control, r.base, { path, files: folder });
  return await commitTree(r.control, { tree, parent: r.base, message: "Revision", identity: ann, at });
}

test.each(["sha1", "sha256"])(
  "a folder is replaced by exactly the given files, and git finds nothing wrong (%s)",
  async (format) => {
    const others = { "plans-old": "1\n", "plans.md": "2\n", "plans/x.md": "3\n", "plans/y/z": "4\n", zz: "5\n" };
    const old = { "plans/x/plan.md": "old\n", "plans/x/tasks/gone.md": "gone\n", "plans/x/tasks/b.md": "b\n" };
    const r = await rig({ ...others, ...old }, [`--object-format=${format}`]);

    const folder = files({ "plan.md": "new\n", "tasks/b.md": "b\n", "tasks-1": "t\n", "tasks.md": "m\n" });
    const commit = await replaced(
      r,
      "plans/x",
      new Map([...folder, ["run.sh", { bytes: Buffer.from("#\n"), executable: true }]]),
    );

    expect(sh(r.control.dir, "diff", "--name-status", "--no-renames", r.base, commit).split("\n")).toEqual([
      "M\tplans/x/plan.md",
      "A\tplans/x/run.sh",
      "A\tplans/x/tasks-1",
      "A\tplans/x/tasks.md",
      "D\tplans/x/tasks/gone.md",
    ]);
    expect(sh(r.control.dir, "ls-tree", commit, "plans/x/run.sh")).toMatch(/^100755 blob /);
    sh(r.control.dir, "update-ref", "refs/stint/x", commit);
    expect(sh(r.control.dir, "fsck", "--full", "--strict", "--no-dangling")).toBe("");
  },
);

test("a folder is put where there was none", async () => {
  const r = await rig();
  const commit = await replaced(r, "plans/x", files({ "plan.md": "p\n" }));
  expect(sh(r.control.dir, "ls-tree", "-r", "--name-only", commit)).toBe("a.txt\nplans/x/plan.md");
});

test("a folder is put in the place of a file, and a name that is not UTF-8 stays or goes with its folder", async () => {
  const first = await rig({ plans: "a file\n" });
  const odd = Buffer.concat([Buffer.from(`${first.user}/odd`), Buffer.of(0xff)]);
  writeFileSync(odd, "odd\n");
  const r = { ...first, base: commitAll(first.user) };
  const commit = await replaced(r, "plans/x", files({ "plan.md": "p\n" }));
  expect(sh(r.control.dir, "ls-tree", "-r", "--name-only", commit)).toBe('"odd\\377"\nplans/x/plan.md');

  const tree = await treeWithFolder(r.control, commit, {
    path: "plans/x",
    oid: sh(r.user, "rev-parse", "HEAD^{tree}"),
  });
  expect(sh(r.control.dir, "ls-tree", "-r", "--name-only", tree)).toBe('"odd\\377"\n"plans/x/odd\\377"\nplans/x/plans');
  const again = await treeWithFolder(r.control, tree, {
    path: "plans/x",
    oid: sh(r.control.dir, "rev-parse", `${commit}:plans/x`),
  });
  expect(again).toBe(sh(r.control.dir, "rev-parse", `${commit}^{tree}`));
});

test.each(["../x.md", "tasks/../../x.md", ".git/config", "tasks/.GIT", "", "a//b"])(
  "no folder is written with a path that leads elsewhere: %s",
  async (path) => {
    const r = await rig();
    await expect(replaced(r, "plans/x", files({ [path]: "x" }))).rejects.toThrow(`Ignoring path plans/x/${path}`);
    await expect(replaced(r, "plans/x", files({ "tasks/x.md": "x" }))).resolves.toMatch(/^[0-9a-f]{40}$/);
  },
);

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
