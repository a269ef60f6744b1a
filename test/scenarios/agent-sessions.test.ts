import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { createPlanningRig, leavesPlan, planningEvents, planningFolder } from "../rig/planning.ts";
import { makes, type PlanSpec } from "../rig/plan.ts";
import type { Rig } from "../rig/rig.ts";

const good: PlanSpec = { tasks: { "01-note": makes("note.txt") } };
const headless = async (rig: Rig) => await rig.stint(["plan", "Write a note", "--headless"]);

test("In the sandbox a planner works in a clone with a shell and git, sees its inbox, and cannot write into it.", async () => {
  const look = [
    "git log -1 --format=%s > seen.txt",
    'test -s "$STINT_INBOX/map.md"',
    'if echo x > "$STINT_INBOX/map.md"; then exit 1; fi',
    "test -f a.txt",
  ];
  await using rig = await createPlanningRig(
    { draft: [{ shell: look.join(" && ") }, ...leavesPlan(good)] },
    { sandbox: "bwrap", files: { "a.txt": "a\n" } },
  );
  const ended = await headless(rig);
  expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining("Sandbox: bwrap;") });
  const [, , drafted] = planningEvents(rig, "session-ended");
  expect(drafted).toMatchObject({ outcome: { kind: "ok" }, dirty: ["seen.txt"] });
});

/** Hides what it changes, and would run a program in whatever git believes this clone's settings. */
const plant = [
  "git config core.excludesFile /dev/null",
  "echo '*' > .git/info/exclude",
  "git update-index --assume-unchanged a.txt",
  "echo more >> a.txt",
  "echo new > b.txt",
  'git config core.fsmonitor \'touch "$(dirname "$RIG_MOVES")/planted"\'',
];

test("Whatever a planner does to the .git of its clone is not honoured when its changes are looked for.", async () => {
  await using rig = await createPlanningRig(
    { draft: [{ shell: plant.join(" && ") }, ...leavesPlan(good)] },
    { files: { "a.txt": "a\n" } },
  );
  expectCode(await headless(rig), 0);
  expect(planningEvents(rig, "session-ended")[2]).toMatchObject({ dirty: ["a.txt", "b.txt"] });
  expect(existsSync(join(rig.outside, "planted"))).toBe(false);
});

test("The control: git that believes that .git sees no change and runs what was planted.", async () => {
  const status = 'git status --porcelain > "$(dirname "$RIG_MOVES")/status"';
  await using rig = await createPlanningRig(
    { draft: [{ shell: [...plant, status].join(" && ") }, ...leavesPlan(good)] },
    { files: { "a.txt": "a\n" } },
  );
  expectCode(await headless(rig), 0);
  expect(existsSync(join(rig.outside, "planted"))).toBe(true);
  expect(readFileSync(join(rig.outside, "status"), "utf8")).toBe("");
});

test("What a session left and said is kept under its number, with its prompt.", async () => {
  await using rig = await createPlanningRig({ draft: [{ print: "thinking\n" }, ...leavesPlan(good)] });
  expectCode(await headless(rig), 0);
  const kept = join(planningFolder(rig), "sessions", "3.draft");
  expect(readFileSync(join(kept, "prompt.md"), "utf8")).toContain("You are a planner.");
  expect(readFileSync(join(kept, "output.log"), "utf8")).toContain("thinking");
  expect(readFileSync(join(kept, "left", "tasks", "01-note.md"), "utf8")).toContain("## Goal");
  expect(readFileSync(join(planningFolder(rig), "draft", "plan.md"), "utf8")).toContain("## Tasks");
});

test("A secret of the user's that a planner writes down is struck out of the plan and of the journal.", async () => {
  const secret = "sk-planning-0123456789abcdef";
  const told: PlanSpec = { tasks: { "01-note": makes("note.txt", { goal: `Call it with ${secret}.` }) } };
  await using rig = await createPlanningRig(
    {
      interview: [
        { leave: "questions.json", text: JSON.stringify([{ id: "a", question: `Is it ${secret}?`, recommend: "no" }]) },
      ],
      draft: leavesPlan(told),
    },
    { config: { workspace: { env: ["SERVICE_TOKEN"] } } },
  );
  const ended = await rig.stint(["plan", "Write a note", "--headless"], { env: { SERVICE_TOKEN: secret } });
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  const task = readFileSync(join(rig.repo, "plans/write-a-note/tasks/01-note.md"), "utf8");
  expect(task).toContain("Call it with [secret SERVICE_TOKEN].");
  expect(JSON.stringify(planningEvents(rig))).not.toContain(secret);
  const kept = readdirSync(planningFolder(rig), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const texts = kept.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
  expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  expect(texts.filter((text) => text.includes("Is it [secret SERVICE_TOKEN]?"))).not.toEqual([]);
  expect(planningEvents(rig, "session-ended")[2]).toMatchObject({
    problems: ["tasks/01-note.md: contained one of your secrets, which was removed"],
  });
});

test("Where the settings of a repository confine nobody, that is said before any agent starts.", async () => {
  await using rig = await createPlanningRig({ draft: leavesPlan(good) });
  const ended = await headless(rig);
  expectCode(ended, 0);
  expect(ended.stderr).toMatch(/^Sandbox: none \(as run\.sandbox says\); agents and checks run with your file system/);
});

test("A set-up that fails ends the planning session with its output before any agent starts.", async () => {
  await using rig = await createPlanningRig(
    { draft: leavesPlan(good) },
    { config: { workspace: { setup: "echo no such thing; exit 9" } } },
  );
  const failed = await headless(rig);
  expect(failed.code).toBe(3);
  expect(failed.stderr).toContain("no such thing");
  expect(planningEvents(rig, "session-started")).toEqual([]);
});
