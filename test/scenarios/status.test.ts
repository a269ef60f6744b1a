import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { asks, createPlanningRig, leavesPlan } from "../rig/planning.ts";
import { createRig } from "../rig/rig.ts";

test("Status misses a branch that was deleted after the run, and the next run names the commit with the work.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(await rig.status()).toMatchObject({ published: true });
  const tip = rig.git("rev-parse", "stint/work");
  rig.git("branch", "-D", "stint/work");

  expect(await rig.status()).toMatchObject({ published: false });
  const again = await rig.stint(["run"]);
  expectCode(again, 0);
  expect(again.stderr).toContain(`Branch stint/work does not exist; the run's work is at ${tip}.`);
  rig.git("branch", "found", tip);
  expect(rig.git("show", "found:a.txt")).toBe("ready");
});

test("`stint status` reminds of an unfinished planning session, says what it waits for, and says nothing more once the plan is there.", async () => {
  const interview = asks({ id: "life", question: "How long?" });
  const draft = leavesPlan({ tasks: { "01-a": makes("a.txt") } });
  await using rig = await createPlanningRig({ interview, draft });
  const none = "stint: no run yet. Start one with `stint run`.\n";
  expect((await rig.stint(["status"])).stderr).toBe(none);

  await rig.stint(["plan", "Do it"]);
  const asked = await rig.stint(["status"]);
  await rig.stint(["plan", "--continue", "--answer", "life=1h"]);
  const drafted = await rig.stint(["status"]);
  await rig.stint(["plan", "--continue", "--headless"]);

  const [waits, word] = ["waiting for 1 answer", "waiting for your review of the draft"];
  const resume = "Resume: `stint plan --continue do-it`";
  expect(asked).toMatchObject({ code: 2, stdout: "" });
  expect(asked.stderr).toBe(`${none}Planning of do-it is ${waits}. ${resume}\n`);
  expect(drafted.stderr).toBe(`${none}Planning of do-it is ${word}. ${resume}\n`);
  expect((await rig.stint(["status"])).stderr).toBe(none);
});
