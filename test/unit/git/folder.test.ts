import { expect, test } from "vitest";
import { treeWithFolder, writeFolder, type FolderFile } from "../../../src/git/folder.ts";
import { commitTree } from "../../../src/git/place.ts";
import { ann, at, rig, sh, type Rig } from "../../rig/git.ts";

function files(texts: Record<string, string>): Map<string, FolderFile> {
  return new Map(Object.entries(texts).map(([path, text]) => [path, { bytes: Buffer.from(text) }]));
}

async function replaced(r: Rig, path: string, folder: Map<string, FolderFile>): Promise<string> {
  const oid = await writeFolder(r.control, folder);
  const tree = await treeWithFolder(r.control, r.base, { path, oid });
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

test.each(["../x.md", "tasks/../../x.md", ".git/config", "tasks/.GIT", "", "a//b"])(
  "no folder is written with a path that leads elsewhere: %s",
  async (path) => {
    const r = await rig();
    await expect(writeFolder(r.control, files({ [path]: "x" }))).rejects.toThrow("expected a name of a file");
    await expect(writeFolder(r.control, files({ "tasks/x.md": "x" }))).resolves.toMatch(/^[0-9a-f]{40}$/);
  },
);
