import { expect, test } from "vitest";
import { makes } from "../rig/plan.ts";
import { createPlanningRig } from "../rig/planning.ts";

test.each([
  ["no goal", ["plan"], /^stint: say what you want: stint plan "Add a login page"/],
  [
    "a goal like a book",
    ["plan", "Do it. ".repeat(2_000)],
    /^stint: that is longer than 10000 characters\. Keep it short, and/,
  ],
  [
    "an answer without a planning",
    ["plan", "Do it", "--answer", "a=b"],
    /--answer answers a question of a planning session/,
  ],
  ["a goal and --revise", ["plan", "Do it now", "--revise", "Split it"], /--revise takes a plan name/],
  ["the name of no plan", ["plan", "--revise", "Split it", "other"], /^stint: no plan other\. There are: work/],
  ["a goal without quotes", ["plan", "Do", "it"], /^stint: put the goal in quotes: stint plan "/],
  [
    "to go on and give up",
    ["plan", "--drop", "--continue"],
    /--drop abandons a planning session and takes no other option/,
  ],
  ["a name that is none", ["plan", "Do it", "--name", "../up"], /--name \.\.\/up cannot name a plan: use 1 to 64/],
  ["a name that is taken", ["plan", "Do it", "--name", "work"], /plans\/work exists\. Choose another --name/],
  ["nothing to go on with", ["plan", "--continue"], /no unfinished planning session/],
  ["an input that is not there", ["plan", "Do it", "--input", "nowhere.md"], /nowhere\.md/],
] as const)("`stint plan` refuses %s with one message and 2, and begins nothing.", async (_, args, message) => {
  await using rig = await createPlanningRig({}, { plan: { tasks: { "01-a": makes("a.txt") } } });

  const refused = await rig.stint(args);

  expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
  expect(refused.stderr).not.toContain("    at ");
  expect((await rig.stint(["plan", "--continue"])).stderr).toContain("no unfinished planning session");
  expect(rig.git("status", "--porcelain")).toBe("");
});

test("Without an agent for the planner `stint plan` says how to name one and ends with 2.", async () => {
  await using rig = await createPlanningRig({}, { config: { roles: { planner: { agent: "nobody" } } } });

  const refused = await rig.stint(["plan", "Do it"]);

  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("nobody");
});

test("Outside a git repository `stint plan` ends with 1 and says so.", async () => {
  await using rig = await createPlanningRig({});

  const refused = await rig.stint(["plan", "Do it"], { cwd: rig.outside });

  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/git repo/) });
});
