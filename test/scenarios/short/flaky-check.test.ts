import { expect, test } from "vitest";
import { expectCode } from "../../rig/facts.ts";
import { writes } from "../../rig/moves.ts";
import { makes } from "../../rig/plan.ts";
import { createRig } from "../../rig/rig.ts";

test("A check that is red, then green on the same tree is named flaky, and the run is done.", async () => {
  await using rig = await createRig({
    plan: (outside) => ({
      tasks: { "01-a": makes("a.txt") },
      checks: [`test -e '${outside}/seen' || { touch '${outside}/seen'; echo first time; exit 1; }`],
    }),
    moves: { "01-a": writes("a.txt") },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 0);
  expect(rig.events("final-verified")).toMatchObject([
    {
      ok: true,
      checks: [
        { state: "green", cached: true },
        { state: "green", flaky: true },
      ],
    },
  ]);
  expect(run.stdout).toMatch(/flaky: test -e/);
  const log = await rig.stint(["log"]);
  expect(log.stdout).toMatch(/green, but flaky: test -e/);
  expect(log.stdout).toContain("| first time");
  const status = await rig.stint(["status"]);
  expect(status.stdout).toMatch(/flaky: test -e/);
});
