import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { newestJournal, untilFound } from "../rig/follow.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { createScriptedRig } from "../rig/scripted.ts";

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

const ready = (file: string) => ({ edit: file, write: "ready\n" });

test("A session that reaches the cap is ended while it runs, for free; its work is saved, and a higher cap goes on.", async () => {
  await using rig = await createScriptedRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 }, prices: { small: { input: 1000, output: 2000 } } },
    moves: {
      "01-a": {
        1: [
          { edit: "a.txt", write: "half\n" },
          { usage: { input_tokens: 300, output_tokens: 150 } },
          { hang: "talking" },
        ],
        "*": [ready("a.txt")],
      },
    },
  });

  const run = await rig.stint(["run", "--yes", "--budget-usd", "0.5"]);

  expectCode(run, 5);
  expect(run.stderr).toContain("Budget cap: 0.50 USD.");
  const { run: id, cost } = await rig.status();
  expect(run.stderr).toContain(`Resume with \`stint resume work#1 --budget-usd 1.20\` (any amount above 0.60).`);
  expect(cost).toEqual({ usd: 0.6, input_tokens: 300, output_tokens: 150 });
  expect(rig.events("agent-finished")).toMatchObject([
    {
      outcome: { kind: "budget", detail: "0.60 of 0.50 USD are spent" },
      usage: { usd: 0.6, unpricedTokens: 0 },
      sessionId: "01-a.1",
      model: "small",
    },
  ]);
  expect(rig.processes()).toEqual([]);
  expect(rig.controlGit("show", `refs/stint/rescue/${id}/01-a/1:a.txt`)).toBe("half");

  expectCode(await rig.stint(["resume", "--budget-usd", "5"]), 0);
  expect((await rig.status()).run).toBe(id);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("A cap reached by priced tokens holds, though the agent tells less money at last: no session follows.", async () => {
  await using rig = await createScriptedRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { prices: { small: { input: 1000, output: 2000 } } },
    moves: {
      "01-a": [
        { usage: { input_tokens: 600, output_tokens: 0 } },
        { sleep: 100 },
        { usage: { input_tokens: 600, output_tokens: 0, usd: 0.1 } },
        { hang: "talking" },
      ],
    },
  });

  expectCode(await rig.stint(["run", "--yes", "--budget-usd", "0.5"]), 5);

  expect(rig.events("agent-finished")).toMatchObject([{ outcome: { kind: "budget" }, usage: { usd: 0.6 } }]);
});

/** Tells what it cost with its last word, and then takes its time to exit. */
const slowToExit = `#!/bin/sh
cat > /dev/null
echo ready > a.txt
echo '{"type":"result","is_error":false,"total_cost_usd":2,"modelUsage":{"m":{"inputTokens":10,"outputTokens":5}}}'
exec sleep 4
`;

test("A session whose last word reaches the cap keeps its work, however long it then takes to exit.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    config: { agents: { slow: { driver: "claude", command: ["./slow.sh"] } }, roles: { executor: { agent: "slow" } } },
  });
  writeFileSync(join(rig.repo, "slow.sh"), slowToExit, { mode: 0o755 });
  rig.commit("An agent");

  expectCode(await rig.stint(["run", "--yes", "--budget-usd", "1"]), 5);

  expect(rig.events("agent-finished")).toMatchObject([{ outcome: { kind: "ok" }, usage: { usd: 2 } }]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("A task at its own cap is ended and named, others go on; raised in approved settings, the same run goes on.", async () => {
  await using rig = await createScriptedRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    config: { budget: { task_usd: 1 } },
    moves: {
      "01-a": { 1: [{ usage: { usd: 2 } }, { hang: "talking" }], "*": [ready("a.txt")] },
      "02-b": [ready("b.txt")],
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 5);
  const { run, tasks } = await rig.status();
  expect(tasks).toMatchObject([
    { id: "01-a", state: "pending", reason: "2.00 of 1.00 USD are spent, the cap per task" },
    { id: "02-b", state: "integrated" },
  ]);
  expectCode(await rig.stint(["resume"]), 5);

  const config = parse(readFileSync(join(rig.repo, ".stint/config.yaml"), "utf8")) as Record<string, unknown>;
  rig.write(".stint/config.yaml", stringify({ ...config, budget: { task_usd: 10 } }));
  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect((await rig.status()).run).toBe(run);
  expect(rig.events("plan-approved")).toHaveLength(2);
  expect(commitsOf(rig)).toEqual(["02-b", "01-a"]);
});

test("What a command's usage.json tells is looked at while it runs, and money that nobody knows is said to be unknown.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { budget: { tokens: 1000 } },
    moves: { "01-a": [{ usage: { input_tokens: 900, output_tokens: 150 } }, { hold: "never" }] },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 5);
  expect(rig.events("agent-finished")).toMatchObject([
    { outcome: { kind: "budget", detail: "1050 of 1000 tokens are used" } },
  ]);
  const unknown = "unknown (not reported; set prices for the model) · 900 tokens in, 150 out";
  expect(run.stdout).toContain(`cost: ${unknown} (cap: 1000 tokens)\n`);
  expect((await rig.stint(["log", "01-a"])).stdout).toContain(
    `budget (1050 of 1000 tokens are used); not counted as an attempt; cost ${unknown}\n`,
  );
  expect((await rig.status()).cost).toEqual({ usd: 0, input_tokens: 900, output_tokens: 150, unpriced_tokens: 1050 });
});

test("What a session had told before kill -9 of Stint counts after resume.", async () => {
  await using rig = await createScriptedRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: {
      "01-a": {
        1: [{ usage: { input_tokens: 10, output_tokens: 1, usd: 0.75 } }, { hang: "talking" }],
        "*": [{ usage: { input_tokens: 5, output_tokens: 1, usd: 0.5 } }, ready("a.txt")],
      },
    },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForEvent("agent-started");
  const attempt = join(dirname(newestJournal(rig.gitDir) ?? ""), "attempts", "01-a.1");
  const note = join(attempt, "usage.json");
  await untilFound(
    () => [attempt],
    () => (existsSync(note) ? true : undefined),
    new AbortController().signal,
  );
  await run.kill("SIGKILL");

  expectCode(await rig.stint(["resume"]), 0);

  expect(rig.events("agent-finished")).toMatchObject([
    { outcome: { kind: "interrupted" }, usage: { inputTokens: 10, outputTokens: 1, usd: 0.75 } },
    { outcome: { kind: "ok" }, usage: { usd: 0.5 } },
  ]);
  expect((await rig.status()).cost.usd).toBe(1.25);
});
