import { expect, test } from "vitest";
import { apart, plan, Stage, three } from "../../../rig/scene.ts";

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
