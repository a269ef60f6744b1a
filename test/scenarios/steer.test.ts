import { expect, test } from "vitest";
import { commandNames } from "../rig/commands.ts";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { heldPeer } from "../rig/peer.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

test("pause ends the session, which counts as no attempt, and the driver waits; resume in another terminal continues it.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": { 1: [{ write: "a.txt", text: "half\n" }, { hold: "never" }], "*": writes("a.txt") } },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");

  const paused = await rig.stint(["pause"]);
  expectCode(paused, 0);
  expect(paused.stdout).toBe(
    `Run work#1 is paused; process ${run.pid} is waiting. Resume it with \`stint resume work#1\`, or end it with \`stint stop --run work#1\`.\n`,
  );
  await run.waitForEvent("agent-finished");
  expect(rig.events("agent-finished")).toMatchObject([{ outcome: { kind: "interrupted" } }]);
  expect(await rig.status()).toMatchObject({ state: "paused", reason: "paused by a person" });
  expectCode(await rig.stint(["pause"]), 0);

  const resumed = await rig.stint(["resume"]);
  expectCode(resumed, 0);
  expect(resumed.stdout).toBe(`Run work#1 resumed in process ${run.pid}.\n`);
  expectCode(await run.ended, 0);

  expect(sessionsOf(rig)).toEqual(["01-a 1", "01-a 2"]);
  expect(rig.events("verdict", "01-a")).toMatchObject([{ result: "passed" }]);
  expect(rig.events("resumed")).toMatchObject([{ why: "asked", pid: run.pid }]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect(commandNames(rig)).toEqual([]);
});

test("pause lets an agent that ends its turn by itself finish; its work is kept, and verified after resume.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    config: heldPeer("a.txt", "turn"),
  });
  const run = rig.start(["run", "--yes", "--task", "01-a"]);
  await run.waitForHold("turn");

  const pausing = await rig.stint(["pause"]);
  expect(pausing).toMatchObject({
    code: 0,
    stdout:
      "Run work#1 is pausing: 1 session is finishing; `stint pause --now --run work#1` stops it. Resume it with `stint resume work#1`.\n",
  });
  expect(await rig.status()).toMatchObject({ state: "pausing", reason: "1 session is finishing" });
  rig.release("turn");
  await run.waitForEvent("paused");
  expect(await rig.status()).toMatchObject({ state: "paused", tasks: [{ state: "verifying" }, { state: "pending" }] });
  expect(rig.events("candidate-made")).toHaveLength(1);
  expect(rig.events("placed")).toEqual([]);

  expectCode(await rig.stint(["resume"]), 0);
  expectCode(await run.ended, 0);
  expect(sessionsOf(rig)).toEqual(["01-a 1"]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});
