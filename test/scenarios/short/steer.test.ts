import { expect, test } from "vitest";
import { commandNames } from "../../rig/commands.ts";
import { commitsOf, expectCode, sessionsOf } from "../../rig/facts.ts";
import { writes } from "../../rig/moves.ts";
import { makes } from "../../rig/plan.ts";
import { createRig } from "../../rig/rig.ts";

test("pause ends the session at no cost and the driver waits; resume in another terminal continues it.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": { 1: [{ write: "a.txt", text: "half\n" }, { hold: "never" }], "*": writes("a.txt") } },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  const { run: id } = await rig.status();

  const paused = await rig.stint(["pause"]);
  expectCode(paused, 0);
  expect(paused.stdout).toBe(
    `Run ${id} is paused; process ${run.pid} is waiting. Resume it with \`stint resume ${id}\`, or end it with \`stint stop --run ${id}\`.\n`,
  );
  await run.waitForEvent("agent-finished");
  expect(rig.events("agent-finished")).toMatchObject([{ outcome: { kind: "interrupted" } }]);
  expect(await rig.status()).toMatchObject({ state: "paused", reason: "paused by a person" });
  expectCode(await rig.stint(["pause"]), 0);

  const resumed = await rig.stint(["resume"]);
  expectCode(resumed, 0);
  expect(resumed.stdout).toBe(`Run ${id} resumed in process ${run.pid}.\n`);
  expectCode(await run.ended, 0);

  expect(sessionsOf(rig)).toEqual(["01-a 1", "01-a 2"]);
  expect(rig.events("verdict", "01-a")).toMatchObject([{ result: "passed" }]);
  expect(rig.events("resumed")).toMatchObject([{ why: "asked", pid: run.pid }]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect(commandNames(rig)).toEqual([]);
});
