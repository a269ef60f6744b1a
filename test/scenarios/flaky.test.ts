import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

test("A check of the rules that changes its mind on one tree fails nobody and is named: in the log, at the end, in status.", async () => {
  await using rig = await createRig({
    // Red the first time it is run, wherever that is.
    rules: { checks: ['test -e "$OUTSIDE/seen" || { touch "$OUTSIDE/seen"; exit 1; }'] },
    config: { workspace: { env: ["OUTSIDE"] } },
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });

  const ended = await rig.stint(["run", "--yes"], { env: { OUTSIDE: rig.outside } });

  expectCode(ended, 0);
  expect(rig.events("verdict")).toMatchObject([{ result: "passed", checks: [{}, { flaky: true, state: "green" }] }]);
  const named = 'flaky: test -e "$OUTSIDE/seen"';
  expect(ended.stdout.split("\n").filter((line) => line.startsWith(named))).toHaveLength(1);
  expect((await rig.stint(["status"])).stdout).toContain(named);
  expect((await rig.stint(["log", "01-a"])).stdout).toContain("green, but flaky");
});
