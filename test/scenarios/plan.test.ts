import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import type { Move } from "../rig/moves.ts";
import { makes, plan, type PlanSpec } from "../rig/plan.ts";
import { asks, content, createPlanningRig, inboxOf, keepsInbox, leavesPlan, planningEvents } from "../rig/planning.ts";

const good: PlanSpec = { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } };

test("Headless, a goal becomes a plan that can be approved and run; what was assumed is said and recorded.", async () => {
  const life = { id: "life", question: "How long?", options: ["15m", "24h"], recommend: "24h" };
  await using rig = await createPlanningRig({ interview: asks(life), draft: leavesPlan(good) });
  const before = rig.fingerprint();

  const made = await rig.stint(["plan", "Make two files", "--headless", "--name", "two"]);

  expectCode(made, 0);
  expect(steps(made.stdout)).toEqual([
    expect.stringMatching(/^planning two at [0-9a-f]{12} \(headless: no questions\)$/),
    "code mapped: 2 files, 0 definitions",
    "interview: planner (scripted) started, session 1",
    expect.stringMatching(/^interview: produced 1 question; after \d+s$/),
    "life: 24h (assumed, not asked)",
    "gaps: planner (scripted) started, session 2",
    expect.stringMatching(/^gaps: produced nothing;/),
    "draft: planner (scripted) started, session 3",
    expect.stringMatching(/^draft: produced scope.md, a draft;/),
    "draft checked: no problems",
    "critique: reviewer (scripted) started, session 4",
    expect.stringMatching(/^critique: no findings;/),
    "draft accepted",
    expect.stringMatching(/^written: plans\/two\/plan\.md, /),
  ]);
  expect(made.stdout).toMatch(
    /The plan is in plans\/two \(not committed\)\.\nRead and approve it: `stint approve two`\n$/,
  );
  expect(made.stdout, "a pipe has no width").not.toContain("↳");
  expect(readFileSync(join(rig.repo, "plans/two/plan.md"), "utf8")).toMatch(/id: life[^]*answer: 24h[^]*assumed: true/);
  expect(rig.git("status", "--porcelain")).toBe("?? plans/");
  expect({ ...rig.fingerprint(), ...before }).toMatchObject(before);
  expectCode(await rig.stint(["approve", "two", "--yes"]), 0);
});

test("With --json standard output is the journal of the planning session, and standard error says what to do next.", async () => {
  await using rig = await createPlanningRig({ draft: leavesPlan(good) });
  rig.write("notes.txt", "not committed\n");

  const made = await rig.stint(["plan", "Make two files", "--headless", "--json"]);

  expectCode(made, 0);
  const types = made.stdout
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { type: string }).type);
  expect(types).toEqual(planningEvents(rig).map(({ type }) => type));
  expect(made.stderr).toContain("stint approve make-two-files");
  expect(made.stderr).toContain(
    "Uncommitted changes (1 file: notes.txt) are not part of this plan: it starts from HEAD",
  );
});

const bad: readonly (readonly [string, PlanSpec["tasks"], RegExp])[] = [
  [
    "an impossible check",
    { "01-a": makes("a.txt", { checks: ["no-such-program --all"] }) },
    /tasks\/01-a\.md:\d+: error: .*no-such-program/,
  ],
  [
    "an invented path",
    { "01-a": { files: { modify: ["src/nowhere.ts"] }, checks: ["grep -q x src/nowhere.ts"] } },
    /tasks\/01-a\.md:\d+: error: .*src\/nowhere\.ts/,
  ],
  [
    "a cycle",
    { "01-a": makes("a.txt", { depends: ["02-b"] }), "02-b": makes("b.txt", { depends: ["01-a"] }) },
    /error: .*01-a.*02-b|error: .*cycle/,
  ],
  [
    "a check that is green already",
    { "01-a": makes("a.txt", { checks: ["test -e README.md"] }) },
    /tasks\/01-a\.md:\d+: error: .*green/,
  ],
];

test.each(bad)(
  "A draft with %s goes back to the planner with what is wrong; the next one is taken.",
  async (_, tasks, told) => {
    const draft = {
      "1": leavesPlan({ tasks }),
      "2": [keepsInbox("second"), { save: "prompt" } as Move, ...leavesPlan(good)],
    };
    await using rig = await createPlanningRig({ draft });

    const made = await rig.stint(["plan", "Make two files", "--headless"]);

    expectCode(made, 0);
    expect(inboxOf(rig, "second", "problems.md")).toMatch(told);
    expect(inboxOf(rig, "second", "draft/tasks/01-a.md")).toContain("Do 01-a");
    expect(rig.saved("prompt").prompt).toMatch(/It has \d+ errors?, listed in problems\.md/);
    expect(made.stdout).toMatch(
      /draft: planner \(scripted\) started, session 4, with \d+ errors?(?:, \d+ warnings?)? to fix/,
    );
  },
);

test("A usage limit ends a planning session with its code and how to resume it; it resumes.", async () => {
  await using rig = await createPlanningRig({ draft: [{ limit: 60 }] });

  const failed = await rig.stint(["plan", "Make two files", "--headless"]);

  expectCode(failed, 75);
  expect(failed.stderr).toMatch(/usage limit/);
  expect(failed.stderr).toContain("stint plan --continue make-two-files");
  rig.moves({ draft: leavesPlan(good), ...content });
  expectCode(await rig.stint(["plan", "--continue", "--headless"]), 0);
});

test("A plan without a run is revised in the checkout, and approved as a change.", async () => {
  const revised = { tasks: { ...good.tasks, "02-b": makes("c.txt", { depends: ["01-a"] }) } };
  await using rig = await createPlanningRig(
    { draft: [keepsInbox("draft"), ...leavesPlan(revised)] },
    { files: plan({ ...good, name: "two" }) },
  );

  const made = await rig.stint(["plan", "--revise", "Call the second file c.txt", "two", "--headless"]);

  expectCode(made, 0);
  expect(inboxOf(rig, "draft", "plan/tasks/02-b.md")).toContain("b.txt");
  expect(rig.git("status", "--porcelain")).toBe(" M plans/two/tasks/02-b.md");
  expect(readFileSync(join(rig.repo, "plans/two/tasks/02-b.md"), "utf8")).toContain("c.txt");
});

/** What is told, without times; lines that go on are left out. */
function steps(stdout: string): string[] {
  return [...stdout.matchAll(/^\d\d:\d\d:\d\d {2}(.*?) *$/gm)].map((match) => match[1] ?? "");
}

test("A planning session that is not wanted any more is dropped: there is no reminder of it, and its name is free; without one there is nothing to drop.", async () => {
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

test("Settings that are not committed do not apply to a new plan, and a warning says how to fix that; committed ones cause none.", async () => {
  await using rig = await createPlanningRig({ draft: leavesPlan({ tasks: { "01-a": makes("a.txt") } }) });
  const settled = await rig.stint(["plan", "Do it", "--headless"]);
  appendFileSync(join(rig.repo, ".stint/config.yaml"), "\n# mine\n");

  const loose = await rig.stint(["plan", "Do more", "--headless"]);

  const says = "stint: warning: .stint/config.yaml is not committed, and only committed settings apply";
  expect(loose).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`${says}: \`git add .stint && git commit\`\n`),
  });
  expect(settled).toMatchObject({ code: 0, stderr: expect.not.stringContaining("not committed") });
});

test.each([
  ["no goal", ["plan"], /^stint: say what you want: stint plan "Add a login page"/],
  [
    "a goal as long as a book",
    ["plan", "Do it. ".repeat(2_000)],
    /^stint: that is longer than 10000 characters\. Keep it short, and/,
  ],
  [
    "an answer without a planning session",
    ["plan", "Do it", "--answer", "a=b"],
    /--answer answers a question of a planning session/,
  ],
  ["a goal and --revise", ["plan", "Do it now", "--revise", "Split it"], /--revise takes a plan name/],
  ["the name of no plan", ["plan", "--revise", "Split it", "other"], /^stint: no plan other\. There are: work/],
  ["a goal without quotes", ["plan", "Do", "it"], /^stint: put the goal in quotes: stint plan "/],
  [
    "--drop with --continue",
    ["plan", "--drop", "--continue"],
    /--drop abandons a planning session and takes no other option/,
  ],
  ["a name that is none", ["plan", "Do it", "--name", "../up"], /--name \.\.\/up cannot name a plan: use 1 to 64/],
  ["a name that is taken", ["plan", "Do it", "--name", "work"], /plans\/work exists\. Choose another --name/],
  ["--continue without a planning session", ["plan", "--continue"], /no unfinished planning session/],
  ["an input that is not there", ["plan", "Do it", "--input", "nowhere.md"], /nowhere\.md/],
] as const)("`stint plan` refuses %s with one message and 2, and starts nothing.", async (_, args, message) => {
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
