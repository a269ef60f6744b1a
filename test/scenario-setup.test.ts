import { expect, test } from "vitest";
import { expectCode, pathsOf, sessionsOf } from "./rig/facts.ts";
import { writes } from "./rig/moves.ts";
import { makes } from "./rig/plan.ts";
import { createRig } from "./rig/rig.ts";

test("The set-up command runs in workspaces and in the rooms of checks, and what it makes is not the agent's.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: ["grep -q lib vendor/lib.txt && grep -q ready a.txt"] }) } },
    config: { workspace: { setup: "mkdir -p vendor && echo lib > vendor/lib.txt" } },
    moves: { "01-a": [{ shell: "grep -q lib vendor/lib.txt" }, ...writes("a.txt")] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(rig.events("verdict", "01-a")).toMatchObject([{ result: "passed", guards: [] }]);
  expect(pathsOf(rig, "stint/work")).toEqual(["a.txt", "plans/work/plan.md"]);
});

test("A set-up that fails is broken, neither red nor green: 4 and no session.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { workspace: { setup: "echo no network here; exit 9" } },
    moves: { "01-a": writes("a.txt") },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 4);
  expect(sessionsOf(rig)).toEqual([]);
});
