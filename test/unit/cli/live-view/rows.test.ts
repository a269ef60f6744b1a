import { expect, test } from "vitest";
import type { Snapshot } from "../../../../src/cli/live-view/history.ts";
import { apart, plan, says, Stage, three } from "../../../rig/scene.ts";

test("while there is room, next are also those that wait for one that waits", () => {
  const chain = new Stage(
    [apart("01-a"), apart("02-b", { depends: ["01-a"] }), apart("03-c", { depends: ["02-b", "01-a"] })],
    { parallel: 1 },
  );
  chain.start("01-a");
  const lines = chain.picture(80, 24);
  const heading = lines.indexOf(" Next 2");
  expect(lines.slice(heading + 1, heading + 3)).toEqual([
    expect.stringMatching(/^ {3}02-b +Do 02-b +waits for 01-a$/),
    expect.stringMatching(/^ {3}03-c +Do 03-c +waits for 0\d-., 0\d-.$/),
  ]);
});

test("what has landed is listed newest first with its commit, and what proves nothing is marked", () => {
  const stage = new Stage([...three, apart("05-old")], { parallel: 4 });
  stage.add({ type: "attempt-started", task: "05-old", attempt: 1, base: "base", role: "executor" });
  stage.add({ type: "baseline", task: "05-old", attempt: 1, state: "green", why: "", checks: [] });
  stage.play(40, new Set(["02-vat", "03-csv"]));
  const lines = stage.picture(80, 24);
  const heading = lines.findIndex((line) => line.startsWith(" Finished"));
  expect(lines.slice(heading, heading + 3)).toEqual([
    " Finished 2",
    expect.stringMatching(/^ ✓ 01-models +Do 01-models +\d+:00 p-01-models-$/),
    expect.stringMatching(/^ = 05-old +Do 05-old +1:00 nothing proven$/),
  ]);
});

test("what waits for a person says why and what to type", () => {
  const stage = new Stage(plan, { parallel: 3 });
  stage.start("02-vat");
  const why = "Which rate holds in 2027?";
  stage.add({ type: "task-blocked", task: "02-vat", attempt: 1, kind: "exhausted", why });
  const question = { question: "May it touch src/a.ts?", options: ["grant", "refuse"], files: ["src/a.ts"] };
  stage.start("03-csv");
  stage.add({ type: "question", task: "03-csv", attempt: 1, id: "q1", about: "scope", ...question });
  const lines = stage.picture(80, 24);
  const heading = lines.findIndex((line) => line.startsWith(" Needs you"));
  expect(lines.slice(heading, heading + 5)).toEqual([
    " Needs you 2",
    " ? 03-csv    asks        May it touch src/a.ts?",
    "     stint answer q1 grant  or  stint answer q1 refuse",
    " ! 02-vat    blocked     Which rate holds in 2027?",
    "     stint requeue 02-vat  or  stint take 02-vat",
  ]);
});

test("once no task is left, the final tip has a row", () => {
  const stage = new Stage([apart("01-a")], { parallel: 1 });
  stage.play(8);
  expect(stage.picture(80, 24).join("\n")).toMatch(/final tip verifying .*\n +all checks of the plan/);
});

test("a planner that revises the plan has a row with its clock and last words, and so has the check it runs", () => {
  const stage = new Stage([apart("01-a")], { parallel: 1 });
  stage.start("01-a");
  stage.add({ type: "task-blocked", task: "01-a", attempt: 1, kind: "exhausted", why: "no" });
  stage.add({ type: "replan-started", revision: 1, tasks: ["01-a"] });
  const sessions = [says(null, "draft: Two smaller tasks.", 1_200)];
  const picture = (more: Partial<Snapshot> = {}) =>
    stage.picture(80, 24, { sessions, now: stage.now + 70_000, ...more }).join("\n");
  expect(picture()).toMatch(
    /Running 1\n {3}revision 1 planning +a planner revises the plan +1:10 +1.2k tok\n +draft: Two smaller tasks\./,
  );
  const command = { task: null, name: "npm test", since: stage.now + 60_000, line: "adds", mark: null };
  expect(picture({ commands: [command] })).toContain("     npm test, 0:10, last: adds");
  expect(picture({ sessions: [] })).not.toContain("revision 1");
  expect(picture({ driver: null })).not.toContain("planning");
});

test("what is verified or set up shows the command that runs, with its clock, its progress and its last line", () => {
  const stage = new Stage([apart("01-a")], { parallel: 1 });
  stage.add({ type: "attempt-started", task: "01-a", attempt: 1, base: "base", role: "executor" });
  const command = { task: "01-a", name: "npm test", since: stage.now - 70_000, line: "adds", mark: "12/340" };
  expect(stage.picture(80, 24, { commands: [command] }).join("\n")).toMatch(
    /01-a #1 +baseline .*\n {5}npm test, 1:10, 12\/340, last: adds/,
  );
  expect(stage.picture(80, 24, { commands: [command, { ...command, name: "lint" }] }).join("\n")).toContain(
    "npm test (and 1 more), 1:10",
  );
  expect(stage.picture(80, 24, { commands: [{ ...command, task: "02-b" }] }).join("\n")).not.toContain("npm test");
});
