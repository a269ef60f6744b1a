import { expect, test } from "vitest";
import { commandNames } from "../rig/commands.ts";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes, plan } from "../rig/plan.ts";
import { heldPeer } from "../rig/peer.ts";
import { createRig, heldBy } from "../rig/rig.ts";

test("stop ends the driver with 130 and leaves no process; resume completes with no attempt lost.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": { 1: [{ hold: "never" }], "*": writes("a.txt") } },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");

  const stopped = await rig.stint(["stop"]);
  expectCode(stopped, 0);
  expect(stopped.stdout).toContain(`process ${run.pid} ends its agents and checks, then exits.`);
  expectCode(await run.ended, 130);
  expect(rig.processes()).toEqual([]);
  expect(await rig.status()).toMatchObject({ state: "stopped" });

  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.events("verdict", "01-a")).toMatchObject([{ result: "passed" }]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("Without a driver each command is journaled by its sender, for the next driver.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": { 1: [{ report: { status: "blocked", reason: "which word?" } }], "*": writes("a.txt") } },
  });
  expectCode(await rig.stint(["run", "--yes"]), 3);
  const { run: id } = await rig.status();
  const resume = `\`stint resume work#1\`.\n`;

  expect(await rig.stint(["pause"])).toMatchObject({
    code: 0,
    stdout: `Run work#1 is paused; no process is running it. Resume it with ${resume}`,
  });
  expect(await rig.stint(["stop"])).toMatchObject({
    code: 0,
    stdout: `Run work#1 is stopped; no process is running it. Resume it with ${resume}`,
  });
  rig.tearJournal('{"v":1,"seq":99,"ty');
  expect(await rig.stint(["answer", "01-a", "ready"])).toMatchObject({
    code: 0,
    stdout: `Question 01-a is answered. Resume the run with ${resume}`,
  });
  expect(rig.events("journal-repaired")).toHaveLength(1);
  expect(rig.events("answered")).toMatchObject([{ id: "01-a", answer: "ready" }]);
  expect(commandNames(rig)).toEqual([]);

  const refused = await rig.stint(["requeue", "01-a"]);
  expect(refused).toMatchObject({
    code: 2,
    stderr: "stint: task 01-a is waiting for its turn; only a task that is blocked or taken by hand can be requeued\n",
  });
  expect(rig.events("command-ignored")).toMatchObject([{ kind: "requeue" }]);
  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect(await rig.stint(["pause"])).toMatchObject({
    code: 2,
    stderr:
      "stint: there is no unfinished run; the newest, work#1, is finished (done). To do more, change its plan, `stint approve` and `stint run`.\n",
  });
  expect(await rig.stint(["pause", "--run", id])).toMatchObject({ code: 2, stderr: `stint: run work#1 is finished\n` });
});

test("requeue and answer while another task is worked on lead to new attempts at once.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt"), "03-c": makes("c.txt") } },
    config: { run: { attempts: 1, parallel: 3 } },
    moves: {
      "01-a": { 1: [{ exit: 1 }], "*": writes("a.txt") },
      "02-b": { 1: [{ report: { status: "blocked", reason: "which word?" } }], "*": writes("b.txt") },
      "03-c": [{ hold: "go" }, ...writes("c.txt")],
    },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("go");
  await run.waitForEvent("task-blocked", ({ task }) => task === "01-a");
  await run.waitForEvent("task-blocked", ({ task }) => task === "02-b");

  const requeued = await rig.stint(["requeue", "01-a"]);
  expectCode(requeued, 0);
  expect(requeued.stdout).toBe(`Task 01-a gets new attempts from process ${run.pid}.\n`);
  const answered = await rig.stint(["answer", "02-b", "ready"]);
  expectCode(answered, 0);
  expect(answered.stdout).toBe(`Question 02-b is answered; process ${run.pid} continues with it.\n`);

  await run.waitForEvent("task-integrated", ({ task }) => task === "01-a");
  await run.waitForEvent("task-integrated", ({ task }) => task === "02-b");
  expect(rig.events("candidate-made", "03-c")).toEqual([]);
  rig.release("go");
  expectCode(await run.ended, 0);
  expect(commitsOf(rig).toSorted()).toEqual(["01-a", "02-b", "03-c"]);
});

test("pause while checks run ends them, and the same candidate is verified after resume.", async () => {
  await using rig = await createRig({
    plan: (outside) => ({
      tasks: {
        "01-a": makes("a.txt", {
          checks: [`grep -q ready a.txt && { test -e '${outside}/open' || ${heldBy("never", outside)}; }`],
        }),
      },
    }),
    config: { run: { attempts: 1 } },
    moves: { "01-a": writes("a.txt") },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  expectCode(await rig.stint(["pause"]), 0);
  rig.release("open");
  expectCode(await rig.stint(["resume"]), 0);
  expectCode(await run.ended, 0);
  expect(sessionsOf(rig)).toEqual(["01-a 1"]);
  expect(rig.events("verdict")).toMatchObject([{ result: "passed" }]);
});

test("A driver that waits for a usage limit listens: it is paused, resumed and stopped.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": { 1: [{ limit: 3600 }], 2: [{ limit: 3600 }], "*": writes("a.txt") } },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForEvent("parked");
  expectCode(await rig.stint(["pause"]), 0);
  expect(await rig.status()).toMatchObject({ state: "paused" });
  expectCode(await rig.stint(["resume"]), 0);
  await run.waitForEvent("parked", ({ seq }) => seq > (rig.events("resumed")[0]?.seq ?? Infinity));
  expectCode(await rig.stint(["resume"]), 1);
  expectCode(await rig.stint(["stop"]), 0);
  expectCode(await run.ended, 130);
  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.events("verdict")).toMatchObject([{ result: "passed" }]);
});

test.each(["SIGINT", "SIGKILL"] as const)("%s to a paused driver: resume drives the run itself.", async (signal) => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": { 1: [{ hold: "never" }], "*": writes("a.txt") } },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  expectCode(await rig.stint(["pause"]), 0);
  await run.waitForEvent("agent-finished");
  expectCode(await run.kill(signal), signal === "SIGINT" ? 130 : null);

  const resumed = await rig.stint(["resume"]);
  expectCode(resumed, 0);
  expect(resumed.stdout).toContain("run finished: done");
  expect(rig.events("verdict")).toMatchObject([{ result: "passed" }]);
});

test("A paused driver takes no other settings; the cure is said.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": { 1: [{ hold: "never" }], "*": writes("a.txt") } },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  expectCode(await rig.stint(["pause"]), 0);
  const refused = await rig.stint(["resume", "--budget-usd", "5"]);
  expectCode(refused, 2);
  expect(refused.stderr).toContain(`process ${run.pid} is running run`);
  expect(refused.stderr).toContain("`stint stop --run ");
  expectCode(await rig.stint(["stop"]), 0);
  expectCode(await run.ended, 130);
  expectCode(await rig.stint(["resume", "--budget-usd", "5"]), 0);
});

test("Where two plans have an unfinished run, the one that is meant must be named.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    files: plan({ name: "other", tasks: { "01-a": makes("b.txt") } }),
    moves: { "01-a": [{ exit: 1 }] },
  });
  expectCode(await rig.stint(["run", "work", "--yes"]), 3);
  const first = (await rig.status()).run;
  expectCode(await rig.stint(["run", "other", "--yes"]), 3);

  const which = await rig.stint(["requeue", "01-a"]);
  expectCode(which, 2);
  expect(which.stderr).toBe(`stint: which run? Name one with --run: work#1, other#1\n`);
  expectCode(await rig.stint(["pause", "--run", "work#1"]), 0);
  const named = JSON.parse((await rig.stint(["status", "work", "--json"])).stdout) as object;
  expect(named).toMatchObject({ run: first, name: "work#1", state: "paused" });
  for (const [args, code, says] of [
    [["pause", "--run", "nothing"], 2, "stint: no run nothing. There are: work#1, other#1\n"],
    [["resume", "work#2"], 2, "stint: no run work#2. There are: work#1, other#1\n"],
    [
      ["report", first.slice(0, 4)],
      2,
      `stint: several runs begin with ${first.slice(0, 4)}. Name one of: work#1, other#1\n`,
    ],
  ] as const)
    expect(await rig.stint(args), args.join(" ")).toMatchObject({ code, stderr: says });
});

test("A secret in an answer is struck out by whoever journals it.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { workspace: { env: ["MY_KEY"] } },
    moves: { "01-a": { 1: [{ report: { status: "blocked", reason: "which word?" } }], "*": writes("a.txt") } },
  });
  const env = { MY_KEY: "k3y-of-the-answer-0815" };
  expectCode(await rig.stint(["run", "--yes"], { env }), 3);
  expectCode(await rig.stint(["answer", "01-a", `say ${env.MY_KEY} twice`], { env }), 0);
  expect(rig.events("answered")).toMatchObject([{ id: "01-a", answer: expect.stringMatching(/^say .+ twice$/) }]);
  expect(JSON.stringify(rig.journal())).not.toContain(env.MY_KEY);
});

test.each([
  ["pause --now ends a session that is finishing, which counts no attempt", ["pause", "--now"]],
  ["kill -9 while a session is finishing leaves the run paused", null],
] as const)("%s; resume starts it again.", async (_, args) => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } }, config: heldPeer("a.txt", "turn") });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("turn");
  expectCode(await rig.stint(["pause"]), 0);

  if (args === null) await run.kill("SIGKILL");
  else {
    expect((await rig.stint(args)).stdout).toContain("Run work#1 is paused; process ");
    await run.waitForEvent("agent-finished");
  }

  expect(await rig.status()).toMatchObject({ state: "paused", tasks: [{ state: "running" }] });
  expect(sessionsOf(rig)).toEqual(["01-a 1"]);
  rig.release("turn");
  expectCode(await rig.stint(["resume"]), 0);
  if (args !== null) expectCode(await run.ended, 0);
  expect(rig.events("agent-finished")).toMatchObject([
    { outcome: { kind: "interrupted" } },
    { outcome: { kind: "ok" } },
  ]);
  expect(rig.events("verdict")).toMatchObject([{ attempt: 2, result: "passed" }]);
});
