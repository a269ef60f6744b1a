import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endSleepers, escapes, escapesCount, newToken, sleepersOf, untilNoneSleeps } from "../rig/escapes.ts";
import { expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, heldBy, type Rig } from "../rig/rig.ts";
import { canConfine } from "../rig/sandbox-world.ts";

/** Kills Stint while its agent, or its check, holds with all those processes beside it. */
async function killedBeside(who: "agent" | "check", sandbox: "bwrap" | "none", token: string): Promise<Rig> {
  const rig = await createRig({
    sandbox,
    plan: (outside) => ({
      tasks: {
        "01-a": makes("a.txt", {
          checks: [
            `grep -q ready a.txt && { test -e ${outside}/open || { sh ${outside}/escapes.sh && ${heldBy("never", outside)}; }; }`,
          ],
        }),
      },
    }),
    config: { run: { attempts: 1 } },
  });
  writeFileSync(join(rig.outside, "escapes.sh"), escapes(token));
  const first = who === "agent" ? [{ shell: `sh ${rig.outside}/escapes.sh` }, { hold: "never" }] : writes("a.txt");
  rig.moves({ "01-a": { 1: first, "*": writes("a.txt") } });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  expect(sleepersOf(token)).toHaveLength(escapesCount);
  expectCode(await run.kill("SIGKILL"), null);
  return rig;
}

test.skipIf(!canConfine).each(["agent", "check"] as const)(
  "Confined, nothing started by the %s outlives a killed Stint, and resume completes.",
  async (who) => {
    const token = newToken();
    await using rig = await killedBeside(who, "bwrap", token);
    await untilNoneSleeps(token);
    writeFileSync(join(rig.outside, "open"), "");
    expectCode(await rig.stint(["resume"]), 0);
    expect(sessionsOf(rig)).toEqual(who === "agent" ? ["01-a 1", "01-a 2"] : ["01-a 1"]);
    expect(rig.processes()).toEqual([]);
  },
);

test("Without a sandbox they outlive it.", async () => {
  const token = newToken();
  await using rig = await killedBeside("agent", "none", token);
  expect(sleepersOf(token)).toHaveLength(escapesCount);
  endSleepers(token);
  expect(rig.events("agent-finished")).toEqual([]);
});
