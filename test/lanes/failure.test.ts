import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

test("Where one step cannot go on, the others end at no cost; on resume each goes on where it stood.", async () => {
  await using rig = await createRig({
    files: { "setup.sh": 'test ! -e "$OUTSIDE/broken"\n' },
    config: {
      run: { parallel: 2, attempts: 1, sandbox: "none" },
      workspace: { setup: "sh setup.sh", env: ["OUTSIDE"] },
    },
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    moves: { "01-a": [{ hold: "a" }, ...writes("a.txt")], "02-b": [{ hold: "b" }, ...writes("b.txt")] },
  });
  const env = { OUTSIDE: rig.outside };

  const run = rig.start(["run", "--yes"], { env });
  await Promise.all([run.waitForHold("a"), run.waitForHold("b")]);
  rig.release("broken");
  rig.release("a");
  const ended = await run.ended;
  expectCode(ended, 1);
  expect(ended.stderr).toContain("It fails without the work of 01-a, too.");
  expect(rig.processes()).toEqual([]);
  rmSync(join(rig.outside, "broken"));
  rig.release("b");

  expectCode(await rig.stint(["resume"], { env }), 0);
  expect(rig.events("agent-finished").map((event) => [event.task, event["outcome"]])).toMatchObject([
    ["01-a", { kind: "ok" }],
    ["02-b", { kind: "interrupted" }],
    ["02-b", { kind: "ok" }],
  ]);
  expect(commitsOf(rig).toSorted()).toEqual(["01-a", "02-b"]);
});
