import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  asks,
  createPlanningRig,
  inboxOf,
  keepsInbox,
  leavesPlan,
  planningEvents,
  planningFolder,
} from "../rig/planning.ts";
import { makes, type PlanSpec } from "../rig/plan.ts";
import type { Rig } from "../rig/rig.ts";

const good: PlanSpec = { tasks: { "01-note": makes("note.txt", { goal: "Write ready into note.txt." }) } };
/** Its check is green before anybody begins. */
const vacuous: PlanSpec = { tasks: { "01-note": { files: { create: ["note.txt"] }, checks: ["true"] } } };

const headless = async (rig: Rig, ...more: readonly string[]) =>
  await rig.stint(["plan", "Write a note", "--headless", ...more]);
const phases = (rig: Rig) =>
  planningEvents(rig, "session-ended")
    .map(({ phase }) => phase)
    .join(" ");

test("A session knows its role, its phase, which one of that phase it is, and its planning session.", async () => {
  await using rig = await createPlanningRig({ draft: [...leavesPlan(good), { save: "session" }] });
  expect(await headless(rig)).toMatchObject({ code: 0 });
  expect(phases(rig)).toBe("interview gaps draft critique");
  const { env } = rig.saved("session");
  expect(env).toMatchObject({ STINT_ROLE: "planner", STINT_TASK: "draft", STINT_ATTEMPT: "1" });
  expect(planningFolder(rig)).toContain(env["STINT_RUN"]);
});

test("A draft that is left in the first session is taken, and nobody is asked to make another.", async () => {
  await using rig = await createPlanningRig({ interview: leavesPlan(good) });
  expect(await headless(rig)).toMatchObject({ code: 0 });
  expect(phases(rig)).toBe("interview critique");
});

test("Questions become decisions that nobody made, and later sessions learn that.", async () => {
  const question = { id: "colour", question: "Which colour?", options: ["red", "blue"], recommend: "blue" };
  const again = { id: "Any Size?", question: "Which size?", options: ["small"] };
  await using rig = await createPlanningRig({
    interview: asks(question),
    gaps: asks(question, again),
    draft: [keepsInbox("inbox"), ...leavesPlan(good)],
  });
  expect(await headless(rig)).toMatchObject({ code: 0 });
  expect(planningEvents(rig, "questions-answered").map(({ answers }) => answers)).toEqual([
    [{ id: "colour", answer: "blue", assumed: true }],
    [{ id: "any-size", answer: "small", assumed: true }],
  ]);
  expect(existsSync(join(planningFolder(rig), "questions.json"))).toBe(false);
  expect(inboxOf(rig, "inbox", "answers.md")).toContain("blue (assumed: the person was not asked)");
  const plan = readFileSync(join(rig.repo, "plans/write-a-note/plan.md"), "utf8");
  expect(plan).toMatch(/colour[\s\S]*assumed: true/);
});

test("A plan that cannot be handed over is refused with what is in the way, in whole sentences.", async () => {
  const blocks = { shell: 'p="$(dirname "$RIG_MOVES")/../repo/plans"; mkdir -p "$p" && : >"$p/write-a-note"' };
  await using rig = await createPlanningRig({ draft: [...leavesPlan(good), blocks] });
  const ended = await headless(rig);
  expect(ended, ended.stderr).toMatchObject({ code: 3 });
  expect(ended.stderr).toContain("Move it away, then try again.\n");
  expect(ended.stderr).not.toContain("..");
});

test("A question with nothing to assume is left to a person: the plan is written, and 3 says where to answer.", async () => {
  await using rig = await createPlanningRig({
    interview: asks({ id: "colour", question: "Which colour?" }),
    draft: leavesPlan(good),
  });
  const ended = await headless(rig);
  expect(ended, ended.stderr).toMatchObject({ code: 3 });
  expect(plainText(ended.stderr)).toContain(
    "1 decision left open that only you can make. Give it an answer in plans/write-a-note/plan.md. Then: `stint approve write-a-note`",
  );
  expect(ended.stdout).not.toContain("Read and approve it");
  const file = join(rig.repo, "plans/write-a-note/plan.md");
  expect(await rig.stint(["approve", "--yes"])).toMatchObject({ code: 3 });
  // The honest twin: answered there, it can be approved.
  writeFileSync(file, readFileSync(file, "utf8").replace(/^( *)- id: colour$/m, "$&\n$1  answer: red"));
  expect(await rig.stint(["approve", "--yes"])).toMatchObject({ code: 0 });
});

test("A planner that never fixes its draft is asked a few times; the plan is written, and what is wrong is said.", async () => {
  await using rig = await createPlanningRig({ draft: leavesPlan(vacuous) });
  const ended = await headless(rig);
  expect(ended, ended.stderr).toMatchObject({ code: 3 });
  expect(phases(rig)).toBe("interview gaps draft draft draft draft");
  expect(rig.git("status", "--porcelain")).toBe("?? plans/");
  expect(ended.stderr).toMatch(/tasks\/01-note\.md:\d+: error: /);
  expect(plainText(ended.stderr)).toMatch(/1 error left in the plan\. .*stint plan --revise "…" write-a-note/);
});

test("A task that a correction does not leave stays, as long as the plan names it.", async () => {
  const two: PlanSpec = { tasks: { ...vacuous.tasks, "02-more": makes("more.txt", { depends: ["01-note"] }) } };
  const [, , task] = leavesPlan(good);
  await using rig = await createPlanningRig({ draft: { 1: leavesPlan(two), 2: task === undefined ? [] : [task] } });
  const ended = await headless(rig);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(existsSync(join(rig.repo, "plans/write-a-note/tasks/02-more.md"))).toBe(true);
});

test("Grave findings of the critique go back to the planner once, with what the reviewer wrote.", async () => {
  const finding = {
    severity: "critical",
    file: "tasks/01-note.md",
    line: 3,
    title: "No such file",
    why: "It is gone.",
    fix: "",
  };
  await using rig = await createPlanningRig({
    draft: { 1: leavesPlan(good), 2: [keepsInbox("inbox"), ...leavesPlan(good)] },
    critique: [
      keepsInbox("critic"),
      { leave: "findings.json", text: JSON.stringify([finding]) },
      { save: "critic-session" },
    ],
  });
  expect(await headless(rig)).toMatchObject({ code: 0 });
  expect(phases(rig)).toBe("interview gaps draft critique draft");
  expect(inboxOf(rig, "inbox", "findings.md")).toContain("## critical: No such file");
  expect(inboxOf(rig, "critic", "draft/plan.md")).toContain("## Tasks");
  expect(rig.saved("critic-session").env).toMatchObject({ STINT_ROLE: "reviewer", STINT_TASK: "critique" });
});

test("A critique without findings.json is no praise: it is tried once more, and the journal has none.", async () => {
  await using rig = await createPlanningRig({ draft: leavesPlan(good), critique: [{ print: "looks good\n" }] });
  expect(await headless(rig)).toMatchObject({ code: 0 });
  expect(phases(rig)).toBe("interview gaps draft critique critique");
  expect(planningEvents(rig, "session-ended").at(-1)).toMatchObject({ findings: null });
});

test("Code that a planner writes is reported by path, and nothing of it is kept.", async () => {
  await using rig = await createPlanningRig(
    { draft: [{ write: "src/made.js", text: "1\n" }, { append: "a.txt", text: "more\n" }, ...leavesPlan(good)] },
    { files: { "a.txt": "a\n" } },
  );
  const ended = await headless(rig);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  const [, , drafted] = planningEvents(rig, "session-ended");
  expect(drafted).toMatchObject({ phase: "draft", dirty: ["a.txt", "src/made.js"] });
  expect(existsSync(join(rig.repo, "src/made.js"))).toBe(false);
  expect(readFileSync(join(rig.repo, "a.txt"), "utf8")).toBe("a\n");
  const told = "the planner changed a.txt, src/made.js in its clone; the changes were discarded";
  expect(plainText(ended.stdout)).toContain(told);
});

test("What set-up makes in the clone is not the planner's doing.", async () => {
  await using rig = await createPlanningRig(
    { draft: leavesPlan(good) },
    { config: { workspace: { setup: "echo made > made-by-set-up.txt" } } },
  );
  expect(await headless(rig)).toMatchObject({ code: 0 });
  expect(planningEvents(rig, "session-ended").map(({ dirty }) => dirty)).toEqual([[], [], [], []]);
});

test("A session that crashes is retried once; crashed again, the planning session fails and can be resumed.", async () => {
  await using rig = await createPlanningRig({
    interview: { 3: [], "*": [{ print: "boom\n" }, { exit: 9 }] },
    draft: leavesPlan(good),
  });
  const failed = await headless(rig);
  expect(failed).toMatchObject({ code: 3 });
  expect(failed.stderr).toContain("no plan: crashed: exit 9: boom.\n");
  expect(phases(rig)).toBe("interview interview");
  expect(existsSync(join(rig.repo, "plans"))).toBe(false);
  const ended = await rig.stint(["plan", "--continue", "--headless"]);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(phases(rig)).toBe("interview interview interview gaps draft critique");
});

test("A usage limit stops the planning session at once, and it resumes from there.", async () => {
  await using rig = await createPlanningRig({ gaps: { 1: [{ limit: null }], "*": [] }, draft: leavesPlan(good) });
  expect(await headless(rig)).toMatchObject({ code: 75 });
  expect(phases(rig)).toBe("interview gaps");
  expect(await rig.stint(["plan", "--continue", "write-a-note", "--headless"])).toMatchObject({ code: 0 });
  expect(phases(rig)).toBe("interview gaps gaps draft critique");
});

test("A draft session that leaves nothing twice fails, and no plan is written.", async () => {
  await using rig = await createPlanningRig({ draft: [] });
  const ended = await headless(rig);
  expect(ended).toMatchObject({ code: 3 });
  expect(ended.stderr).toContain("the planner produced no plan");
  expect(ended.stderr).toContain("stint plan --continue write-a-note");
  expect(existsSync(join(rig.repo, "plans"))).toBe(false);
});

test("A name that is taken is refused, one that follows from the goal is made free.", async () => {
  await using rig = await createPlanningRig({ draft: leavesPlan(good) });
  expect(await headless(rig)).toMatchObject({ code: 0 });
  const refused = await headless(rig, "--name", "write-a-note");
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("plans/write-a-note exists");
  expect(await headless(rig)).toMatchObject({ code: 0 });
  expect(existsSync(join(rig.repo, "plans/write-a-note-2/plan.md"))).toBe(true);
});

/** Text as one line, as it was before it was laid out. */
function plainText(text: string): string {
  return text.replace(/ *\n +(?:↳ )?/g, " ");
}
