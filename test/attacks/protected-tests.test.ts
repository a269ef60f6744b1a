import { expect, test } from "vitest";
import { commitsOf, expectCode, verdictsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { createRig } from "../rig/rig.ts";

const files = { "src/a.txt": "old\n", "test/a.test.sh": "grep -q ready src/a.txt\n" };
const checks = ["sh test/a.test.sh"];

test("Editing an existing test that the task does not name is caught and costs an attempt, even inside a wide glob.", async () => {
  await using rig = await createRig({
    files,
    plan: { tasks: { "01-a": { files: ["**"], checks } } },
    moves: { "01-a": { 1: [{ write: "test/a.test.sh", text: "exit 0\n" }], 2: writes("src/a.txt") } },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 0);
  const [cheat, honest] = verdictsOf(rig, "01-a");
  expect(cheat).toMatchObject({ result: "failed", reason: "guard" });
  expect(cheat?.guards).toContain("protected test/a.test.sh");
  expect(honest).toMatchObject({ result: "passed" });
  expect(rig.git("show", "stint/work:test/a.test.sh")).toBe("grep -q ready src/a.txt");
});

test("A task whose files name the test may change it.", async () => {
  await using rig = await createRig({
    files,
    plan: {
      tasks: {
        "01-a": {
          files: { modify: ["src/a.txt", "test/a.test.sh"] },
          checks: ["sh test/a.test.sh", "grep -q set test/a.test.sh"],
        },
      },
    },
    moves: { "01-a": [...writes("src/a.txt"), { write: "test/a.test.sh", text: "set -e\ngrep -q ready src/a.txt\n" }] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("What the rules protect is guarded like a test, and what they forbid may never change.", async () => {
  await using rig = await createRig({
    files: { ...files, "legacy/x.txt": "old\n" },
    rules: { protect: ["legacy/**"], forbid: ["**/*.secret"] },
    plan: { tasks: { "01-a": { files: ["**"], checks } } },
    moves: {
      "01-a": {
        1: [...writes("src/a.txt"), { write: "legacy/x.txt", text: "new\n" }],
        2: [...writes("src/a.txt"), { write: "src/key.secret", text: "x\n" }],
        3: writes("src/a.txt"),
      },
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  const [first, second, third] = verdictsOf(rig, "01-a");
  expect(first?.guards).toContain("protected legacy/x.txt");
  expect(second?.guards).toContain("forbidden src/key.secret");
  expect(third).toMatchObject({ result: "passed" });
});
