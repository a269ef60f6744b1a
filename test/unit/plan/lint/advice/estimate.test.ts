import { expect, test } from "vitest";
import { adviceOnTask } from "../../../../rig/advice.ts";

test("an estimate outside 15m to 60m is reported at its key, with what to do", () => {
  expect(adviceOnTask({ estimate: "5m" })).toEqual([
    "a:7:1: estimate: The estimate of 5m is outside 15m to 60m. Merge the task with a neighbour.",
  ]);
  expect(adviceOnTask({ estimate: "90m" })).toEqual([
    "a:7:1: estimate: The estimate of 1h 30m is outside 15m to 60m. Split the task.",
  ]);
  expect(["15m", "60m", "1h"].flatMap((estimate) => adviceOnTask({ estimate }))).toEqual([]);
});
