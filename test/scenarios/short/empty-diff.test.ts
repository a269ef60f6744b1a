import { expect, test } from "vitest";
import { expectCode, verdictsOf } from "../../rig/facts.ts";
import { writes } from "../../rig/moves.ts";
import { makes } from "../../rig/plan.ts";
import { createRig } from "../../rig/rig.ts";

test("A session that claims to be done but changed nothing has failed.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": { 1: [{ report: { status: "done", summary: "All done." } }], 2: writes("a.txt") } },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 0);
  expect(verdictsOf(rig, "01-a")).toMatchObject([{ result: "failed", reason: "no-change" }, { result: "passed" }]);
});

test("A session that put everything back as it was has changed nothing.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": [...writes("a.txt"), { delete: "a.txt" }] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(verdictsOf(rig, "01-a")).toMatchObject([{ result: "failed", reason: "no-change" }]);
});
