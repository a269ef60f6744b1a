import { expect, test } from "vitest";
import { adviceOnTask } from "../../../../rig/advice.ts";

test("a task none of whose checks has to fail is warned of once, and not as weak besides", () => {
  const checks = [{ run: "npm test", red: false }, { exists: "src/a.ts", red: false }, { judge: "Is it good?" }];
  expect(adviceOnTask({ checks })).toEqual([
    "a:5:1: nothing-red: No check of this task has to fail before the work: each is marked red: false or is a question for a judge, so a run would consider the task done without doing it. Remove red: false from a check that only the work makes pass, or add such a check.",
  ]);
});

test("honest: one check that has to be red is enough", () => {
  expect(adviceOnTask({ checks: [{ run: "npm test", red: false }, "node --test a"] })).toEqual([]);
});
