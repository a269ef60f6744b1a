import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makes } from "../rig/plan.ts";
import { asks, createPlanningRig, leavesPlan } from "../rig/planning.ts";

test("`stint status` reminds of an unfinished planning session, says what it waits for, and falls silent when the plan is there.", async () => {
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

test("A planning session that is not wanted any more is given up: there is no reminder of it, and its name is free; without one there is nothing to give up.", async () => {
  await using rig = await createPlanningRig({ interview: asks({ id: "life", question: "How long?" }) });
  await rig.stint(["plan", "Do it", "--name", "it"]);

  const dropped = await rig.stint(["plan", "--drop", "it"]);

  expect(dropped).toMatchObject({ code: 0, stderr: "" });
  expect(dropped.stdout).toContain("The planning session for it is abandoned, and no plan was written.");
  expect((await rig.stint(["status"])).stderr).not.toContain("Planning of");
  expect(await rig.stint(["plan", "--drop", "it"])).toMatchObject({ code: 2, stdout: "" });
  expect(await rig.stint(["plan", "Do it", "--name", "it"])).toMatchObject({ code: 3 });
  expect(rig.git("status", "--porcelain")).toBe("");
});

test("Settings that are not committed do not hold for a new plan, which is said with the cure; committed ones need no word.", async () => {
  await using rig = await createPlanningRig({ draft: leavesPlan({ tasks: { "01-a": makes("a.txt") } }) });
  const settled = await rig.stint(["plan", "Do it", "--headless"]);
  appendFileSync(join(rig.repo, ".stint/config.yaml"), "\n# mine\n");

  const loose = await rig.stint(["plan", "Do more", "--headless"]);

  const says = "stint: warning: .stint/config.yaml is not committed, and only committed settings apply";
  expect(loose).toMatchObject({ code: 0, stderr: expect.stringContaining(`${says}: git add .stint && git commit\n`) });
  expect(settled).toMatchObject({ code: 0, stderr: expect.not.stringContaining("not committed") });
});
