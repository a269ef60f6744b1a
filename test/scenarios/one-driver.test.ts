import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

test("A second run while one drives the plan ends with 1 and names the process; the first is not disturbed.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": [{ hold: "go" }, ...writes("a.txt")] },
  });
  const first = rig.start(["run", "--yes"]);
  await first.waitForHold("go");

  const second = await rig.stint(["run"]);
  const third = await rig.stint(["resume"]);

  for (const loser of [second, third]) {
    expectCode(loser, 1);
    expect(loser.stderr).toContain(String(first.pid));
  }
  rig.release("go");
  expectCode(await first.ended, 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("Status works while a process drives the run.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": [{ hold: "go" }, ...writes("a.txt")] },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("go");

  expect(await rig.status()).toMatchObject({
    state: "running",
    tasks: [{ id: "01-a", state: "running", attempts: 1 }],
  });

  rig.release("go");
  expectCode(await run.ended, 0);
});
