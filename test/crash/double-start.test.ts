import { expect, test } from "vitest";
import type { Running } from "../rig/cli.ts";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

/** `STINT_STARTS=1000` starts more; twenty at the same moment make a wave. */
const inWave = 20;
const waves = Math.max(1, Math.floor(Number(process.env["STINT_STARTS"] ?? 100) / inWave));

/** What people and their scripts may type twice; the commands beside it must neither drive nor disturb. */
const starts: readonly (readonly string[])[] = [["run"], ["resume"], ["resume"], ["resume"]];

/** The one that lives on while all others have ended, and those others. */
async function startAtOnce(rig: Rig): Promise<{ readonly driver: Running; readonly losers: readonly Running[] }> {
  const started = Array.from({ length: inWave }, (_, at) => rig.start(starts[at % starts.length] ?? []));
  const beside = [rig.stint(["status"]), rig.stint(["log"])];
  let running = [...started];
  for (const each of started) void each.ended.then(() => (running = running.filter((other) => other !== each)));
  while (running.length > 1) await Promise.race(running.map(({ ended }) => ended));
  await Promise.all(beside);
  const [driver] = running;
  if (driver === undefined) throw new Error("all have ended, so nobody drives");
  return { driver, losers: started.filter((each) => each !== driver) };
}

test(`${waves * inWave} starts, twenty at a time (STINT_STARTS): one drives, nineteen end with 1 and say which it is.`, async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": [{ hold: "go" }, ...writes("a.txt")] },
  });
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  const first = rig.start(["run"]);
  await first.waitForHold("go");
  await first.kill("SIGKILL");

  for (let wave = 1; wave <= waves; wave += 1) {
    const { driver, losers } = await startAtOnce(rig);
    for (const { ended } of losers) {
      expectCode(await ended, 1);
      expect((await ended).stderr).toContain(`process ${driver.pid} is already running plan work`);
    }
    await driver.waitForEvent("agent-started", ({ epoch }) => epoch === wave + 1);
    if (wave % 3 === 0) for (const command of ["pause", "resume"]) expectCode(await rig.stint([command]), 0);
    if (wave < waves) await driver.kill("SIGKILL");
    else rig.release("go");
    expectCode(await driver.ended, wave < waves ? null : 0);
  }

  const drivers = rig.events("resumed").filter(({ why }) => why === "driver-started");
  expect(drivers.map(({ epoch }) => epoch)).toEqual(Array.from({ length: waves }, (_, at) => at + 2));
  expect(new Set(sessionsOf(rig)).size).toBe(sessionsOf(rig).length);
  expect(rig.journal().map(({ seq }) => seq)).toEqual(rig.journal().map((_, at) => at + 1));
  expect(rig.events("verdict")).toMatchObject([{ result: "passed" }]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect(rig.processes()).toEqual([]);
}, 600_000);
