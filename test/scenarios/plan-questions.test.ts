import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { makes } from "../rig/plan.ts";
import {
  asks,
  createPlanningRig,
  inboxOf,
  keepsInbox,
  leavesPlan,
  planningEvents,
  planningFolder,
} from "../rig/planning.ts";

const tokens = { id: "token-life", question: "How long does a token live?", options: ["15m", "24h"], recommend: "15m" };
const colour = { id: "colour", question: "Which colour?" };
const good = leavesPlan({ tasks: { "01-a": makes("a.txt") } });

test("Without a terminal questions lie in a file; answers on the command line let it go on, and the draft waits for a word.", async () => {
  await using rig = await createPlanningRig({ interview: asks(tokens, colour), draft: [keepsInbox("draft"), ...good] });

  const asked = await rig.stint(["plan", "Make a file"]);

  expectCode(asked, 3);
  expect(asked.stderr.split("\n")).toEqual([
    "Sandbox: none (as run.sandbox says); agents and checks run with your file system and network.",
    "token-life",
    "  How long does a token live?",
    "  1. 15m (recommended)",
    "  2. 24h",
    "colour",
    "  Which colour?",
    `stint: 2 questions for you, in ${join(planningFolder(rig), "questions.json")}`,
    "Answer in a terminal: `stint plan --continue make-a-file`",
    'or one by one: `stint plan --continue make-a-file --answer token-life="…"`',
    "or let the planner decide: `stint plan --continue make-a-file --headless`",
    "",
  ]);
  expect(JSON.parse(readFileSync(join(planningFolder(rig), "questions.json"), "utf8"))).toMatchObject({
    plan: "make-a-file",
    goal: "Make a file",
    questions: [tokens, { ...colour, options: [], recommend: null }],
  });

  const half = await rig.stint(["plan", "--continue", "--answer", "token-life=24h"]);
  expectCode(half, 3);
  expect(half.stderr).toContain("1 question for you");

  const rest = await rig.stint(["plan", "--continue", "make-a-file", "--answer", "colour=as blue as = the sea"]);
  expectCode(rest, 3);
  expect(rest.stderr).toContain(`the draft is waiting for your review: ${join(planningFolder(rig), "draft")}`);
  expect(inboxOf(rig, "draft", "answers.md")).toMatch(/token-life[^]*24h[^]*colour[^]*as blue as = the sea/);

  const taken = await rig.stint(["plan", "--continue", "--headless"]);
  expectCode(taken, 0);
  const planned = readFileSync(join(rig.repo, "plans/make-a-file/plan.md"), "utf8");
  expect(planned).toMatch(/answer: 24h/);
  expect(planned).not.toContain("assumed: true");
  expect(planningEvents(rig, "session-started").map((event) => event["phase"])).toEqual([
    "interview",
    "gaps",
    "draft",
    "critique",
  ]);
});

test("Another front end answers in answers.json; a blank answer is none, and what cannot be read is said with the cure.", async () => {
  await using rig = await createPlanningRig({ interview: asks(tokens, colour), draft: good });
  expectCode(await rig.stint(["plan", "Make a file"]), 3);
  const file = join(planningFolder(rig), "answers.json");

  writeFileSync(file, "[");
  const damaged = await rig.stint(["plan", "--continue"]);
  expectCode(damaged, 3);
  expect(damaged.stderr).toContain(file);

  writeFileSync(file, JSON.stringify({ "token-life": "1h", colour: " ", unknown: "x" }));
  const half = await rig.stint(["plan", "--continue"]);
  expectCode(half, 3);
  expect(half.stderr).toContain("1 question for you");

  writeFileSync(file, JSON.stringify({ "token-life": "2h", colour: "red" }));
  expect((await rig.stint(["plan", "--continue"])).stderr).toContain("the draft is waiting for your review");
  expect(planningEvents(rig, "questions-answered").flatMap((event) => event["answers"])).toEqual([
    { id: "token-life", answer: "1h", assumed: false },
    { id: "colour", answer: "red", assumed: false },
  ]);
});

test("An answer to a question that is not open, or without a planning session, is refused and changes nothing.", async () => {
  await using rig = await createPlanningRig({ interview: asks(tokens), draft: good });
  const none = await rig.stint(["plan", "--continue", "--answer", "token-life=1h"]);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("no unfinished planning session") });
  expectCode(await rig.stint(["plan", "Make a file"]), 3);

  const refused = await rig.stint(["plan", "--continue", "--answer", "tokens=1h"]);

  expect(refused).toMatchObject({ code: 2, stderr: "stint: no open question tokens. Open questions: token-life\n" });
  expect(planningEvents(rig, "questions-answered")).toEqual([]);
  const other = await rig.stint(["plan", "--continue", "other"]);
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("no unfinished planning session of other") });
});

test("A number on the command line chooses an option, one that is none is refused with the options, and quotes keep it.", async () => {
  await using rig = await createPlanningRig({ interview: asks(tokens), draft: good });
  expectCode(await rig.stint(["plan", "Make a file"]), 3);
  const refused = await rig.stint(["plan", "--continue", "--answer", "token-life=9"]);
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/token-life has no option 9: 1\. .* quote it: --answer token-life='"9"'/),
  });
  expect(planningEvents(rig, "questions-answered")).toEqual([]);
  await rig.stint(["plan", "--continue", "--answer", "token-life=1"]);
  expect(planningEvents(rig, "questions-answered").flatMap((event) => event["answers"])).toEqual([
    { id: "token-life", answer: tokens.options[0], assumed: false },
  ]);
});

test("Killed while the planner works, a planning session resumes where it was, and asks nothing twice.", async () => {
  const draft = { "1": [{ hold: "mid" }, ...good], "*": good };
  await using rig = await createPlanningRig({ interview: asks(tokens), draft });
  expectCode(await rig.stint(["plan", "Make a file"]), 3);
  const driver = rig.start(["plan", "--continue", "--answer", "token-life=24h"]);
  await driver.waitForHold("mid");

  await driver.kill("SIGKILL");
  rig.release("mid");
  const taken = await rig.stint(["plan", "--continue", "--headless"]);

  expectCode(taken, 0);
  expect(planningEvents(rig, "session-started").map((event) => event["phase"])).toEqual([
    "interview",
    "gaps",
    "draft",
    "draft",
    "critique",
  ]);
  expect(readFileSync(join(rig.repo, "plans/make-a-file/plan.md"), "utf8")).toMatch(/answer: 24h/);
});

test("Interrupted while the planner works, a planning session ends with 130 and says how to resume it.", async () => {
  await using rig = await createPlanningRig({ draft: { "1": [{ hold: "mid" }], "*": good } });
  const driver = rig.start(["plan", "Make a file", "--headless"]);
  await driver.waitForHold("mid");

  const ended = await driver.kill("SIGINT");

  expectCode(ended, 130);
  expect(ended.stderr).toContain("nothing is lost. Resume: `stint plan --continue make-a-file`");
  expectCode(await rig.stint(["plan", "--continue", "--headless"]), 0);
});
