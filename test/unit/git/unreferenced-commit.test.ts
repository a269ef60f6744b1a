import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitUnreferenced } from "../../../src/git/unreferenced-commit.ts";
import { ann, around, at, bytesOf, commitAll, rig, sh, tempDir, type Rig } from "../../rig/git.ts";

async function add(of: Rig, files: Record<string, string>) {
  const change = { parent: of.base, files: new Map(Object.entries(files)), message: "Plan x", identity: ann, at };
  return await commitUnreferenced(of.repo, of.control, change);
}

async function added(of: Rig, files: Record<string, string>): Promise<string> {
  const commit = await add(of, files);
  if (!commit.ok) throw new Error(commit.failure.message);
  return commit.value;
}

const planFiles = { "plans/do-x/plan.md": "plan\n", "plans/do-x/tasks/do.md": "task\n" };

test.each(["sha1", "sha256"])(
  "a commit on top has the files of its parent and the new ones, and git finds nothing wrong (%s)",
  async (format) => {
    // Names around `plans` and `do-x` in git's order, where a folder sorts as if it ended in a slash.
    const others = {
      "plans-old": "1\n",
      "plans.md": "2\n",
      "plans/do": "3\n",
      "plans/do-x.md": "4\n",
      "plans/do-y/z": "5\n",
      zz: "6\n",
    };
    const r = await rig(others, [`--object-format=${format}`]);
    const before = bytesOf(r.user, [".git/objects", ".git/stint"]);

    const commit = await added(r, planFiles);

    expect(bytesOf(r.user, [".git/objects", ".git/stint"])).toEqual(before);
    expect(sh(r.user, "diff", "--name-status", r.base, commit)).toBe(
      "A\tplans/do-x/plan.md\nA\tplans/do-x/tasks/do.md",
    );
    expect(sh(r.user, "rev-parse", `${commit}^`)).toBe(r.base);
    expect(sh(r.user, "show", `${commit}:plans/do-x/tasks/do.md`)).toBe("task");
    sh(r.user, "update-ref", "refs/stint/keep/x", commit);
    expect(sh(r.user, "fsck", "--full", "--strict", "--no-dangling")).toBe("");
  },
);

test("files are added to a repo without such a folder, and take the place of files of the same name", async () => {
  const r = await rig();
  const commit = await added(r, planFiles);
  expect(sh(r.user, "ls-tree", "-r", "--name-only", commit)).toBe("a.txt\nplans/do-x/plan.md\nplans/do-x/tasks/do.md");

  const again = await added({ ...r, base: commit }, { "plans/do-x/plan.md": "other\n" });
  expect(sh(r.user, "show", `${again}:plans/do-x/plan.md`)).toBe("other");
  expect(sh(r.user, "diff", "--name-status", commit, again)).toBe("M\tplans/do-x/plan.md");
});

test("a file or a link in the place of a folder is refused by name", async () => {
  const file = await rig({ plans: "a file\n" });
  expect(await add(file, planFiles)).toMatchObject({
    failure: { reason: "in-the-way", message: expect.stringContaining("plans in the commit at HEAD is not a folder") },
  });

  const root = tempDir();
  const user = join(root, "user");
  mkdirSync(user);
  sh(user, "init", "-q");
  symlinkSync("/etc", join(user, "plans"));
  commitAll(user);
  expect(await add(await around(root, user), planFiles)).toMatchObject({ failure: { reason: "in-the-way" } });
});
