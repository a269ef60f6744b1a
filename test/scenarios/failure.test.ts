import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

/** Set-up fails as long as `broken` is there, and says so when it has failed with the work of a task and without it. */
const setup = `test -e "$OUTSIDE/broken" || exit 0
test -e "$OUTSIDE/first" && touch "$OUTSIDE/second.reached"
touch "$OUTSIDE/first"
exit 1
`;

test("Where one step cannot go on, that is told at once and the others go on; on resume it goes on where it stood.", async () => {
  await using rig = await createRig({
    files: { "setup.sh": setup },
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
  await run.waitForHold("second");
  rmSync(join(rig.outside, "broken"));
  rig.release("b");
  const ended = await run.ended;
  expectCode(ended, 1);
  expect(ended.stderr).toMatch(/It also fails without the work of 01-a\.[^]*everything else continues\./);
  expect(rig.events("verdict")).toMatchObject([{ task: "02-b", result: "passed" }]);
  expect(rig.processes()).toEqual([]);

  expectCode(await rig.stint(["resume"], { env }), 0);
  expect(rig.events("agent-finished").map((event) => [event.task, event["outcome"]])).toMatchObject([
    ["01-a", { kind: "ok" }],
    ["02-b", { kind: "ok" }],
  ]);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});
