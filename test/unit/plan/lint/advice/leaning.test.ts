import { expect, test } from "vitest";
import { adviceOn } from "../../../../rig/advice.ts";

const adviceOfB = (goal: string): string[] => {
  const body = `## Goal\n\n${goal}\n\n## Test plan\n\nHalf a cent.`;
  return adviceOn({
    tasks: { "01-model": {}, auth: { depends: ["01-model"] }, "02-b": { body, depends: ["auth"] } },
  });
};

test("a reference to another task is quoted where it stands", () => {
  expect(adviceOfB("Users log in.\nValidate as in task 01-model, please.")).toEqual([
    '02-b:14:10: leans-on-task: "as in task 01-model" sends the executor elsewhere, but this task is all it gets. Write here what it needs to know.',
  ]);
});

test.each([
  "As in task 01-model.",
  "See `01-model` for the fields.",
  "Do the same as the previous task, for orders.",
  "See the previous task.",
  "Like above, for orders.",
  "The fields are described in tasks/01-model.md.",
  "Follow [the model](../tasks/01-model.md).",
  "Errors are handled like task auth does.",
])("leans: %s", (goal) => {
  expect(adviceOfB(goal).map((line) => line.split(" ")[1])).toEqual(["leans-on-task:"]);
});

test.each([
  "`User`, which 01-model creates in src/user.ts, has the fields id and email.",
  "The previous task made `User`; it has the fields id and email.",
  "Read src/auth.ts first.",
  "See auth for how names are folded.",
  "As in 02-b's own test, round half up.",
  "Errors look like 404-not-found.",
  "Follow the style of src/user.ts.",
  "Round half up.\nAs above, but for negative amounts.",
  "Round half up.\n\n## Out of scope\n\nThe command: see 01-model. What the next task does.",
  "```\nsee task 01-model\n```",
  "See tasks/02-b.md.",
  "See tasks/99-unknown.md.",
])("honest: %s", (goal) => {
  expect(adviceOfB(goal)).toEqual([]);
});
