import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, heldBy } from "../rig/rig.ts";

/** A check that hangs for ever until the test opens the way for later ones: the old one must be ended, not outwaited. */
function heldAtFirst(outside: string): string {
  return `{ test -e '${outside}/open' || ${heldBy("never", outside)}; }`;
}

test("kill -9 while the agent works: resume ends the old agent and its daemon, and completes with no attempt lost.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    config: { run: { attempts: 1 } },
    moves: {
      "01-a": writes("a.txt"),
      "02-b": { 1: [{ write: "b.txt", text: "half\n" }, { daemon: "daemon" }, { hold: "never" }], 2: writes("b.txt") },
    },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  expect(rig.processes().map(({ command }) => command)).toContain("sleep 1000 ");
  expectCode(await run.kill("SIGKILL"), null);

  expectCode(await rig.stint(["resume"]), 0);

  expect(rig.processes()).toEqual([]);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  expect(sessionsOf(rig)).toEqual(["01-a 1", "02-b 1", "02-b 2"]);
  expect(rig.events("verdict", "02-b")).toMatchObject([{ result: "passed" }]);
});

test("kill -9 while checks run: resume verifies the same candidate without a second session.", async () => {
  await using rig = await createRig({
    plan: (outside) => ({
      tasks: {
        "01-a": makes("a.txt", { checks: [`grep -q ready a.txt && ${heldAtFirst(outside)}`] }),
        "02-b": makes("b.txt", { depends: ["01-a"] }),
      },
    }),
    config: { run: { attempts: 1 } },
    moves: { "01-a": writes("a.txt"), "02-b": writes("b.txt") },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  await run.kill("SIGKILL");
  rig.release("open");

  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.processes()).toEqual([]);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  expect(sessionsOf(rig)).toEqual(["01-a 1", "02-b 1"]);
});

test("kill -9 during the baseline: resume completes.", async () => {
  await using rig = await createRig({
    plan: (outside) => ({
      tasks: { "01-a": makes("a.txt", { checks: [`${heldAtFirst(outside)}; grep -q ready a.txt`] }) },
    }),
    config: { run: { attempts: 1 } },
    moves: { "01-a": writes("a.txt") },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  await run.kill("SIGKILL");
  expect(sessionsOf(rig)).toEqual([]);
  rig.release("open");

  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect(rig.processes()).toEqual([]);
});

test.each(["agent-started", "agent-finished", "candidate-made", "verdict", "integrating", "task-integrated"])(
  "kill -9 as soon as %s is in the journal: the task is committed once and no attempt is lost.",
  async (type) => {
    await using rig = await createRig({
      plan: { tasks: { "01-a": makes("a.txt") } },
      config: { run: { attempts: 1 } },
      moves: { "01-a": writes("a.txt") },
    });
    const run = rig.start(["run", "--yes"]);
    await run.waitForEvent(type);
    await run.kill("SIGKILL");

    expectCode(await rig.stint(["resume"]), 0);

    expect(commitsOf(rig)).toEqual(["01-a"]);
    expect(rig.events("verdict").every((verdict) => verdict["result"] === "passed")).toBe(true);
    expect(rig.processes()).toEqual([]);
  },
);

test("A torn last line of the journal is cut and kept, and resume completes.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": { 1: [{ hold: "never" }], "*": writes("a.txt") } },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  await run.kill("SIGKILL");
  rig.tearJournal('{"v":1,"seq":99,"ty');

  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.events("journal-repaired")).toMatchObject([{ bytes: 19 }]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});
