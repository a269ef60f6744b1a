import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { treeWithFiles, treeWithFolder, type NewFile } from "../../../src/git/edit-tree.ts";
import { commitTree } from "../../../src/git/write-objects.ts";
import { ann, at, commitAll, rig, sh, type Rig } from "../../rig/git.ts";

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
