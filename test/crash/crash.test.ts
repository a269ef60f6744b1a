import { expect, test } from "vitest";
import { commitsOf, expectCode, verdictsOf } from "../rig/facts.ts";
import { writes, type Move } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

const crashes: readonly (readonly [string, Move])[] = [
  ["exits with 1", { exit: 1 }],
  ["is killed by a signal", { crash: "SIGKILL" }],
];

test.each(crashes)(
  "An agent that %s has crashed: no checks are run, it costs an attempt, the next is told.",
  async (_, crash) => {
    await using rig = await createRig({
      plan: { tasks: { "01-a": makes("a.txt") } },
      moves: { "01-a": { 1: [...writes("a.txt"), crash], 2: [{ save: "second" }, ...writes("a.txt")] } },
    });

    const run = await rig.stint(["run", "--yes"]);

    expectCode(run, 0);
    expect(verdictsOf(rig, "01-a")).toMatchObject([
      { result: "failed", reason: "crashed", checks: [] },
      { result: "passed" },
    ]);
    expect(rig.saved("second").prompt).toContain("crashed");
    expect(commitsOf(rig)).toEqual(["01-a"]);
  },
);

test("Crashes use up the attempts, and the task is blocked.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 2 } },
    moves: { "01-a": [...writes("a.txt"), { exit: 1 }] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(rig.events("task-blocked", "01-a")).toMatchObject([{ kind: "exhausted" }]);
});

test("An agent that cannot be started is a crash, not a hang.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 }, agents: { scripted: { driver: "command", command: ["/no/such/agent"] } } },
  });

  const run = await rig.stint(["run", "--yes"]);

  expect([1, 3]).toContain(run.code);
  expect(`${run.stdout}${run.stderr}`).toContain("/no/such/agent");
});
