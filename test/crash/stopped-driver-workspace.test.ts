import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, heldBy } from "../rig/rig.ts";

const [now, later] = ["now", "later"];

test("A driver that was stopped in a baseline and overruled leaves the workspace to the agent that works there now.", async () => {
  await using rig = await createRig({
    plan: (outside) => {
      const first = `{ ! mkdir '${join(outside, "first")}' 2>/dev/null || ${heldBy(now, outside)}; }`;
      return { tasks: { "01-a": makes("a.txt", { checks: [`${first}; grep -q ready a.txt`, "test -s a.txt"] }) } };
    },
    config: { run: { attempts: 1 } },
    moves: { "01-a": [...writes("a.txt"), { hold: later }] },
  });
  const old = rig.start(["run", "--yes"]);
  await old.waitForHold(now);
  process.kill(old.pid, "SIGSTOP");
  // In a way that nobody who comes later can see.
  renameSync(join(rig.gitDir, "stint", "locks"), join(rig.gitDir, "stint", "locks-moved-away"));
  const young = rig.start(["resume"]);
  await young.waitForHold(later);

  rig.release(now);
  process.kill(old.pid, "SIGCONT");
  expectCode(await old.ended, 1);

  rig.release(later);
  expectCode(await young.ended, 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect(sessionsOf(rig)).toEqual(["01-a 1"]);
});
