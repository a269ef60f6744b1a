import { expect, test } from "vitest";
import { expectCode, verdictsOf } from "./rig/facts.ts";
import { writes } from "./rig/moves.ts";
import { makes } from "./rig/plan.ts";
import { createRig } from "./rig/rig.ts";

test("Code run by the first check cannot rewrite the test of the second: every check starts from a verified tree.", async () => {
  await using rig = await createRig({
    files: { "test/a.test.sh": "grep -q ready a.txt\n" },
    plan: {
      tasks: {
        "01-a": {
          files: { create: ["a.txt", "tool.sh"] },
          checks: ["test -e tool.sh && sh tool.sh", "sh test/a.test.sh"],
        },
      },
    },
    config: { run: { attempts: 1 } },
    moves: {
      "01-a": [
        { write: "a.txt", text: "not yet\n" },
        { write: "tool.sh", text: "echo exit 0 > test/a.test.sh; echo ready > a.txt\n" },
      ],
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(verdictsOf(rig, "01-a")).toMatchObject([
    { result: "failed", reason: "check", checks: ["green test -e tool.sh && sh tool.sh", "red sh test/a.test.sh"] },
  ]);
});

test("What the agent leaves untracked and ignored in its workspace does not reach the checks.", async () => {
  await using rig = await createRig({
    files: { ".gitignore": "build/\n" },
    plan: { tasks: { "01-a": makes("a.txt", { checks: ["grep -q ready a.txt && test ! -e build/out.txt"] }) } },
    moves: { "01-a": [...writes("a.txt"), { write: "build/out.txt", text: "made by the agent\n" }] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
});

test("A check sees a checkout with its own git, an empty home and none of Stint's variables.", async () => {
  const check =
    'grep -q ready a.txt && git rev-parse HEAD && test -z "$(ls -A "$HOME")" && ! env | grep -E "^(STINT|RIG)_"';
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: [check] }) } },
    moves: { "01-a": writes("a.txt") },
  });

  expectCode(await rig.stint(["run", "--yes"], { env: { STINT_SECRET: "1" } }), 0);
});

test("A check's own environment, folder and time are honoured.", async () => {
  await using rig = await createRig({
    files: { "sub/here.txt": "" },
    plan: {
      tasks: {
        "01-a": makes("sub/a.txt", {
          checks: [
            { run: 'test -e here.txt && grep -q "$WORD" a.txt', cwd: "sub", env: { WORD: "ready" }, timeout: "30s" },
          ],
        }),
      },
    },
    moves: { "01-a": writes("sub/a.txt") },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
});
