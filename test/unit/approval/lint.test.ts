import { expect, test } from "vitest";
import { lintWorkTree } from "../../../src/approval/lint.ts";
import { write } from "../../rig/git.ts";
import { makes, plan } from "../../rig/plan.ts";
import { projectWith } from "../../rig/project.ts";

const changes = (path: string) => plan({ tasks: { "01-a": makes("a.txt", { files: { modify: [path] } }) } });

test("a file that a task changes and that is not committed is explained; one that nobody has is only missing", async () => {
  const { project, root } = await projectWith({ ...changes("src/new.ts"), "src/a.ts": "a" });
  const messages = async () => (await lintWorkTree(project, "work")).problems.map(({ message }) => message);
  expect(await messages()).toEqual([expect.stringContaining("src/new.ts, which neither exists at HEAD nor")]);
  write(root, { "src/new.ts": "n", "other.ts": "o" });
  expect(await messages()).toEqual([
    expect.stringContaining("src/new.ts, which is not committed; a run starts from HEAD"),
  ]);
});

test("a plan is linted as it lies in the work tree: its own new files are there for it, and nothing else uncommitted is", async () => {
  const { project, root, commit } = await projectWith({ ...changes("src/a.ts"), "src/a.ts": "a" });
  expect(commit).not.toBe("");
  write(root, { "src/b.ts": "b", "plans/work/notes.md": "n" });
  expect((await lintWorkTree(project, "work")).problems).toEqual([]);
  write(root, changes("src/b.ts"));
  expect((await lintWorkTree(project, "work")).problems).toMatchObject([{ code: "missing-file" }]);
});
