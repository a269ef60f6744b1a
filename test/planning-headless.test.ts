import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPlanningRig, goodPlan } from "./rig/planning.ts";

test("a goal becomes a plan in the checkout, through all phases, with nobody asked", async () => {
  await using rig = await createPlanningRig({ moves: ({ leave }) => ({ draft: [leave(goodPlan)] }) });
  const { end, state, events } = await rig.drive();
  expect(end).toMatchObject({ kind: "handed-over", problems: [] });
  expect(events.map(({ type }) => type).join(" ")).toBe(
    "planning-started mapped session-started session-ended session-started session-ended session-started session-ended " +
      "draft-assessed session-started session-ended draft-judged handed-over",
  );
  expect(state.plan).toBe("write-a-note");
  expect(readFileSync(join(rig.repo, "plans/write-a-note/tasks/01-note.md"), "utf8")).toContain("Write ready");
});
