import { expect, test } from "vitest";
import { commitsOf, expectCode, verdictsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

test("A file outside the task's files is a scope violation that costs an attempt and is named to the next one.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: {
      "01-a": {
        1: [...writes("a.txt"), { write: "extra/b.txt", text: "while I was here\n" }],
        2: [{ save: "second" }, ...writes("a.txt")],
      },
    },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 0);
  expect(verdictsOf(rig, "01-a")).toMatchObject([
    { result: "failed", reason: "guard", guards: ["scope extra/b.txt"] },
    { result: "passed", guards: [] },
  ]);
  expect(rig.saved("second").prompt).toContain("extra/b.txt");
  expect(rig.git("ls-tree", "-r", "--name-only", "stint/work")).not.toContain("extra/b.txt");
});

test("Deleting a file that the task may only modify is a scope violation.", async () => {
  await using rig = await createRig({
    files: { "old.txt": "old\n" },
    plan: { tasks: { "01-a": { files: { create: ["a.txt"], modify: ["old.txt"] }, checks: ["grep -q ready a.txt"] } } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": [...writes("a.txt"), { delete: "old.txt" }] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(verdictsOf(rig, "01-a")).toMatchObject([{ result: "failed", guards: ["scope old.txt"] }]);
});

test("An honest task creates, modifies, deletes and renames within its files, globs included.", async () => {
  await using rig = await createRig({
    files: { "src/old.txt": "old\n", "src/kept.txt": "kept\n" },
    plan: {
      tasks: {
        "01-a": {
          files: { create: ["src/new/**"], modify: ["src/kept.txt"], delete: ["src/old.txt"] },
          checks: [
            "test -e src/new/deep/old.txt",
            { absent: "src/old.txt" },
            { contains: { file: "src/kept.txt", text: "more" } },
          ],
        },
      },
    },
    moves: {
      "01-a": [
        { shell: "mkdir -p src/new/deep && mv src/old.txt src/new/deep/old.txt" },
        { append: "src/kept.txt", text: "more\n" },
      ],
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});
