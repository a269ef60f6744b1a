import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

test("--task does a task and what it builds on, says so when it is done already, and a later run does the rest.", async () => {
  await using rig = await createRig({
    plan: {
      tasks: {
        "01-a": makes("a.txt"),
        "02-b": makes("b.txt", { depends: ["01-a"] }),
        "03-c": makes("c.txt"),
      },
    },
    moves: { "01-a": writes("a.txt"), "02-b": writes("b.txt"), "03-c": writes("c.txt") },
  });
  const unknown = await rig.stint(["run", "--yes", "--task", "02-c"]);
  expectCode(unknown, 2);
  expect(unknown.stderr).toContain('unknown task "02-c"; did you mean "02-b"?');
  expect(rig.journal()).toEqual([]);

  const run = await rig.stint(["run", "--task", "02-b", "--parallel", "3"]);

  expectCode(run, 0);
  expect(run.stderr).toContain("does the rest");
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  expect(rig.events("run-started")).toMatchObject([{ settings: { only: ["01-a", "02-b"] } }]);
  const again = await rig.stint(["run", "--task", "01-a"]);
  expectCode(again, 0);
  expect(again.stderr).toContain("Task 01-a is already integrated as");
  expectCode(await rig.stint(["resume"]), 0);
  // What was asked for once applies until it is asked for again.
  expect(rig.events("resumed").at(-1)).toMatchObject({ settings: { parallel: 3, only: null } });
  expect(sessionsOf(rig)).toEqual(["01-a 1", "02-b 1", "03-c 1"]);
});

test("A dry run approves, commits and starts nothing, also with --yes.", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });
  rig.write("plans/work/notes.md", "not committed\n");
  const before = rig.git("rev-parse", "HEAD");

  const dry = await rig.stint(["run", "--yes", "--dry-run"]);

  expectCode(dry, 0);
  expect(dry.stdout).toContain("Dry run: nothing was done. Plan work at HEAD is not approved.");
  expect(dry.stdout).toContain("runs: grep -q ready a.txt");
  expect(rig.git("rev-parse", "HEAD")).toBe(before);
  expectCode(await rig.stint(["run"]), 3);
});
