import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "./rig/facts.ts";
import { writes } from "./rig/moves.ts";
import { makes } from "./rig/plan.ts";
import { createRig, type Rig } from "./rig/rig.ts";

async function twoDearTasks(): Promise<Rig> {
  const dear = { usage: { input_tokens: 1000, output_tokens: 200, usd: 1.5 } };
  return createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    moves: { "01-a": [...writes("a.txt"), dear], "02-b": [...writes("b.txt"), dear] },
  });
}

test("When the budget is reached no further session starts, the work that was paid for is kept, and the run ends with 5.", async () => {
  await using rig = await twoDearTasks();

  const run = await rig.stint(["run", "--yes", "--budget-usd", "1"]);

  expectCode(run, 5);
  expect(sessionsOf(rig)).toEqual(["01-a 1"]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect((await rig.status()).cost).toEqual({ usd: 1.5, input_tokens: 1000, output_tokens: 200 });
});

test("A run with a higher budget continues the same run to its end.", async () => {
  await using rig = await twoDearTasks();
  await rig.stint(["run", "--yes", "--budget-usd", "1"]);
  const { run } = await rig.status();

  expectCode(await rig.stint(["run", "--budget-usd", "10"]), 0);

  const status = await rig.status();
  expect(status).toMatchObject({ run, cost: { usd: 3 } });
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});

test("The budget of the settings holds as well.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    config: { budget: { usd: 1 } },
    moves: { "01-a": [...writes("a.txt"), { usage: { usd: 2 } }], "02-b": writes("b.txt") },
  });

  expectCode(await rig.stint(["run", "--yes"]), 5);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});
