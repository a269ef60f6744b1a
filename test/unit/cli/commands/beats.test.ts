import { expect, test, vi } from "vitest";
import { beatsOf, showRunning } from "../../../../src/cli/commands/beats.ts";
import { createTicker } from "../../../../src/cli/dialog/ticker.ts";
import { plain } from "../../../../src/cli/paint.ts";
import { cliLimits } from "../../../../src/cli/limits.ts";
import { noActivity, type Activity } from "../../../../src/run/activity.ts";
import { bottomLine } from "../../../rig/io.ts";
import { apart, says, Stage } from "../../../rig/scene.ts";

const command = { task: "01-a", name: "npm test", since: 1_000, line: "ok 3 - adds", mark: "3/9" };

test("a long check is a line every half minute, with its task, its clock and what it printed last; a short one is none", () => {
  const stage = new Stage([apart("01-a")], { parallel: 1 });
  stage.start("01-a");
  const beats = beatsOf(stage.world.state);
  const activity = { ...noActivity, commands: [command] };
  const due = command.since + cliLimits.beatMs;
  expect(beats(activity, due - 1)).toEqual([]);
  expect(beats(activity, due)).toEqual(["working 01-a: npm test, 0:30, 3/9, last: ok 3 - adds"]);
  expect(beats(activity, due + 1_000)).toEqual([]);
  expect(beats(activity, due + cliLimits.beatMs)).toEqual(["working 01-a: npm test, 1:00, 3/9, last: ok 3 - adds"]);
  expect(beats({ ...activity, commands: [{ ...command, task: null, name: "lint" }] }, due)).toEqual([
    "verifying the final tip: lint, 0:30, 3/9, last: ok 3 - adds",
  ]);
});

test("an agent or planner at work is a line now and then, from when it was first seen", () => {
  const stage = new Stage([apart("01-a")], { parallel: 1 });
  stage.start("01-a");
  const beats = beatsOf(stage.world.state);
  const working = { ...noActivity, sessions: [says("01-a", "Reading the code.")] };
  expect(beats(working, 0)).toEqual([]);
  expect(beats(working, cliLimits.sessionBeatMs)).toEqual(["working 01-a, 5:00, last: Reading the code."]);
  stage.add({ type: "replan-started", revision: 2, tasks: ["01-a"] });
  const planning = { ...noActivity, sessions: [says(null, "draft: Two tasks.")] };
  expect(beats(planning, 1_000_000)).toEqual([]);
  expect(beats(planning, 1_000_000 + cliLimits.sessionBeatMs)).toEqual([
    "planning revision 2, 5:00, last: draft: Two tasks.",
  ]);
});

test("what another process runs is shown with its task and its own clock, the next command in its place, and nothing at the end", () => {
  vi.useFakeTimers();
  const stage = new Stage([apart("01-a"), apart("02-b")], { parallel: 2 });
  stage.start("01-a");
  let commands = [{ ...command, task: "02-b", name: "other" }];
  const { terminal, written } = bottomLine();
  const seen = () => {
    vi.advanceTimersByTime(2 * cliLimits.tickMs);
    return written.splice(0).at(-1) ?? "";
  };
  const state = () => stage.world.state;
  let sessions: Activity["sessions"] = [];
  const activity = () => ({ sessions, commands });
  const end = showRunning(createTicker({ terminal, paint: plain }), {
    state,
    activity,
    task: "01-a",
    hasSessions: true,
  });
  expect(seen()).toBe("");
  sessions = [says("01-a", "Reading the code.")];
  expect(seen()).toBe("working 01-a, 0:01");
  commands = [...commands, { ...command, since: Date.now() - 60_000 }];
  expect(seen()).toBe("working 01-a: npm test, 1:02, 3/9, last: ok 3 - adds");
  commands = [{ ...command, name: "lint", since: Date.now(), line: "", mark: "" }];
  expect(seen()).toMatch(/^working 01-a: lint, 0:02/);
  commands = [{ ...command, name: "npm run test -- --only 1234567890", since: Date.now(), line: "", mark: "" }];
  expect(seen()).toMatch(/^working 01-a: npm run test -- --only 1234567890, 0:02/);
  end();
  written.splice(0);
  expect(seen()).toBe("");
  vi.useRealTimers();
});
