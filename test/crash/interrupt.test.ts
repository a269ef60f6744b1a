import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, heldBy } from "../rig/rig.ts";

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s while the agent works ends with 130 and leaves no process; resume completes with no attempt lost.",
  async (signal) => {
    await using rig = await createRig({
      plan: { tasks: { "01-a": makes("a.txt") } },
      config: { run: { attempts: 1 } },
      moves: {
        "01-a": {
          1: [{ write: "a.txt", text: "half\n" }, { daemon: "daemon" }, { hold: "never" }],
          2: writes("a.txt"),
        },
      },
    });
    const run = rig.start(["run", "--yes"]);
    await run.waitForHold("never");
    expect(rig.processes().map(({ command }) => command)).toContain("sleep 1000 ");

    expectCode(await run.kill(signal), 130);
    expect(rig.processes()).toEqual([]);
    expect(rig.events("stopped")).toHaveLength(1);

    expectCode(await rig.stint(["resume"]), 0);
    expect(sessionsOf(rig)).toEqual(["01-a 1", "01-a 2"]);
    expect(rig.events("verdict", "01-a")).toMatchObject([{ result: "passed" }]);
    expect(commitsOf(rig)).toEqual(["01-a"]);
  },
);

test("The half-done work of an interrupted session is rescued.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": { 1: [{ write: "a.txt", text: "half\n" }, { hold: "never" }], 2: writes("a.txt") } },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  await run.kill("SIGINT");
  await rig.stint(["resume"]);

  const { run: id } = await rig.status();
  expect(rig.controlGit("show", `refs/stint/rescue/${id}/01-a/1:a.txt`)).toBe("half");
});

test("Ctrl-C while checks run ends with 130, and resume completes without a second session.", async () => {
  await using rig = await createRig({
    plan: (outside) => ({
      tasks: { "01-a": makes("a.txt", { checks: [`grep -q ready a.txt && ${heldBy("go", outside)}`] }) },
    }),
    moves: { "01-a": writes("a.txt") },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("go");

  expectCode(await run.kill("SIGINT"), 130);
  expect(rig.processes()).toEqual([]);

  rig.release("go");
  expectCode(await rig.stint(["resume"]), 0);
  expect(sessionsOf(rig)).toEqual(["01-a 1"]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("run resumes an interrupted run of the same approved plan.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    moves: { "01-a": writes("a.txt"), "02-b": { 1: [{ hold: "never" }], "*": writes("b.txt") } },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  await run.kill("SIGINT");
  const { run: id } = await rig.status();

  expectCode(await rig.stint(["run"]), 0);

  expect((await rig.status()).run).toBe(id);
  expect(sessionsOf(rig)).toEqual(["01-a 1", "02-b 1", "02-b 2"]);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});
