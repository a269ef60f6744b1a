import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

const limited = (seconds: number | null) => [{ write: "a.txt", text: "half\n" }, { limit: seconds }];
/** One attempt is all there is, so a session that costs one would end the task. */
const config = { run: { attempts: 1 } };

test("A usage limit whose reset has passed, and one that lasts a moment, cost no attempt: the run waits and goes on by itself.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    config,
    moves: {
      "01-a": { 1: limited(-60), "*": writes("a.txt") },
      "02-b": { 1: limited(1), "*": writes("b.txt") },
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);

  for (const task of ["01-a", "02-b"]) {
    const outcomes = [{ outcome: { kind: "limit" } }, { outcome: { kind: "ok" } }];
    expect(rig.events("agent-finished", task)).toMatchObject(outcomes);
    expect(rig.events("verdict", task)).toMatchObject([{ result: "passed" }]);
  }
  const waited = { reason: "limit", until: expect.stringMatching(/^\d{4}-/) };
  expect(rig.events("parked")).toMatchObject([waited, waited]);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});

test("With --no-wait a usage limit ends the run with 75 at once, its reset known or not, and resume completes it without an attempt lost.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config,
    moves: { "01-a": { 1: limited(null), 2: limited(2), "*": writes("a.txt") } },
  });

  expectCode(await rig.stint(["run", "--yes", "--no-wait"]), 75);
  expectCode(await rig.stint(["resume", "--no-wait"]), 75);
  expect(rig.events("parked")).toMatchObject([{ reason: "limit" }, { reason: "limit" }]);

  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.events("verdict", "01-a")).toMatchObject([{ result: "passed" }]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});
