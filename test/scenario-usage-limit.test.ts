import { expect, test } from "vitest";
import { commitsOf, expectCode } from "./rig/facts.ts";
import { writes } from "./rig/moves.ts";
import { makes } from "./rig/plan.ts";
import { createRig, type Rig } from "./rig/rig.ts";

/** One attempt is all there is, so a session that costs one would end the task. */
async function limitedFor(seconds: number | null): Promise<Rig> {
  return createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": { 1: [{ write: "a.txt", text: "half\n" }, { limit: seconds }], "*": writes("a.txt") } },
  });
}

test("A usage limit whose reset has passed costs no attempt, and the run goes on by itself.", async () => {
  await using rig = await limitedFor(-60);

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(rig.events("agent-finished", "01-a")).toMatchObject([
    { outcome: { kind: "limit" } },
    { outcome: { kind: "ok" } },
  ]);
  expect(rig.events("verdict", "01-a")).toMatchObject([{ result: "passed" }]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("A usage limit that lasts a moment is waited for.", async () => {
  await using rig = await limitedFor(1);

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(rig.events("parked")).toMatchObject([{ reason: "limit", until: expect.stringMatching(/^\d{4}-/) }]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("With --no-wait a usage limit ends the run with 75, and resume completes it without an attempt lost.", async () => {
  await using rig = await limitedFor(2);

  const run = await rig.stint(["run", "--yes", "--no-wait"]);
  expectCode(run, 75);
  expect(rig.events("parked")).toMatchObject([{ reason: "limit" }]);

  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.events("verdict", "01-a")).toMatchObject([{ result: "passed" }]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("With --no-wait a limit without a known reset ends with 75 at once.", async () => {
  await using rig = await limitedFor(null);

  expectCode(await rig.stint(["run", "--yes", "--no-wait"]), 75);
  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});
