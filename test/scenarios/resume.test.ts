import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes, plan } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

test("Resume takes the newest unfinished run, not the newest.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": { 1: [{ exit: 1 }], "*": writes("a.txt") } },
  });
  expectCode(await rig.stint(["run", "--yes"]), 3);
  rig.git("mv", "plans/work", "plans/other");
  rig.commit("another plan");
  rig.moves({ "01-a": writes("a.txt") });
  expectCode(await rig.stint(["run", "--yes", "other"]), 0);

  const resumed = await rig.stint(["resume"]);

  expectCode(resumed, 3);
  expect(resumed.stdout).toContain("run work#1: waiting");
});

test("Resume continues the run whose settings were approved again, not with a finished one of another plan.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    config: { budget: { usd: 1 } },
    moves: { "01-a": [...writes("a.txt"), { usage: { usd: 2 } }], "02-b": writes("b.txt"), "01-c": writes("c.txt") },
  });
  expectCode(await rig.stint(["run", "--yes"]), 5);
  for (const [path, text] of Object.entries(plan({ name: "other", tasks: { "01-c": makes("c.txt") } })))
    rig.write(path, text);
  rig.commit("Another plan");
  expectCode(await rig.stint(["run", "other", "--yes"]), 0);
  const config = readFileSync(join(rig.repo, ".stint/config.yaml"), "utf8");
  rig.write(".stint/config.yaml", config.replace("usd: 1", "usd: 10"));
  rig.commit("Raise the cap");
  expectCode(await rig.stint(["approve", "work", "--yes"]), 0);

  const resumed = await rig.stint(["resume"]);

  expectCode(resumed, 0);
  expect(resumed.stdout).toContain("02-b #1 agent started");
});

test("The cap of a run is kept by resume, until a higher one is given.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    moves: { "01-a": [...writes("a.txt"), { usage: { usd: 3 } }], "02-b": writes("b.txt") },
  });
  expectCode(await rig.stint(["run", "--yes", "--budget-usd", "2"]), 5);
  expectCode(await rig.stint(["resume"]), 5);
  expectCode(await rig.stint(["resume", "--budget-usd", "10"]), 0);
});

/** The first task is held under way; the second alone would go past a cap of 2 USD. */
async function heldRun(): Promise<Rig> {
  const dear = { usage: { input_tokens: 10, output_tokens: 2, usd: 1.5 } };
  return createRig({
    plan: {
      tasks: {
        "01-a": makes("a.txt"),
        "02-b": makes("b.txt", { depends: ["01-a"] }),
        "03-c": makes("c.txt", { depends: ["02-b"] }),
      },
    },
    moves: {
      "01-a": [{ hold: "go" }, ...writes("a.txt"), dear],
      "02-b": [...writes("b.txt"), dear],
      "03-c": [...writes("c.txt"), dear],
    },
  });
}

test("The cap of a run under way is raised from another terminal, and the run continues past the old one.", async () => {
  await using rig = await heldRun();
  const run = rig.start(["run", "--yes", "--budget-usd", "2"]);
  await run.waitForHold("go");
  const { run: id } = await rig.status();

  const lower = await rig.stint(["resume", id, "--budget-usd", "1"]);
  expectCode(lower, 2);
  expect(lower.stderr).toBe(
    `stint: the cap of run work#1 is 2.00 USD; it can only be raised; process ${run.pid} is running run work#1. To use this cap, stop it with \`stint stop --run work#1\`, then \`stint resume work#1 --budget-usd 1\`.\n`,
  );
  const raised = await rig.stint(["resume", "--budget-usd", "40"]);
  expectCode(raised, 0);
  expect(raised.stdout).toBe(`The cap of run work#1 is 40.00 USD now; process ${run.pid} continues with it.\n`);
  expect(await rig.status()).toMatchObject({ state: "running", budget: { usd: 40 } });

  rig.release("go");
  expectCode(await run.ended, 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b", "03-c"]);
  expect((await rig.status()).cost.usd).toBe(4.5);
});

test("The same run ends at its cap where nobody raises it, and its message names the command that does.", async () => {
  await using rig = await heldRun();
  const run = rig.start(["run", "--yes", "--budget-usd", "2"]);
  await run.waitForHold("go");
  rig.release("go");

  const ended = await run.ended;
  expectCode(ended, 5);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  const command = `\`stint resume work#1 --budget-usd 6.00\``;
  expect(ended.stderr).toContain(`Resume with ${command} (any amount above 3.00).`);
  expect((await rig.stint(["status"])).stdout + (await rig.stint(["report"])).stdout).toContain(command);
});

test("A cap that was raised while the run was driven applies to the next driver, after kill -9 of the first.", async () => {
  await using rig = await heldRun();
  const run = rig.start(["run", "--yes", "--budget-usd", "2"]);
  await run.waitForHold("go");
  expectCode(await rig.stint(["resume", "--budget-usd", "40"]), 0);
  await run.kill("SIGKILL");
  rig.release("go");

  expectCode(await rig.stint(["resume"]), 0);
  expect(await rig.status()).toMatchObject({ state: "finished", budget: { usd: 40 } });
});

test("A paused run with a higher cap continues in its own terminal.", async () => {
  await using rig = await heldRun();
  const run = rig.start(["run", "--yes", "--budget-usd", "2"]);
  await run.waitForHold("go");
  expectCode(await rig.stint(["pause"]), 0);
  rig.release("go");

  const resumed = await rig.stint(["resume", "--budget-usd", "40"]);
  expectCode(resumed, 0);
  expect(resumed.stdout).toContain(`resumed in process ${run.pid}.\n`);
  expectCode(await run.ended, 0);
});
