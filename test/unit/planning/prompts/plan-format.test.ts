import { expect, test } from "vitest";
import { exampleDraft, planFormat } from "../../../../src/planning/prompts/plan-format.ts";
import { lintOf } from "../../../rig/drafts.ts";

test("lint has nothing to say about the example that a planner learns from", () => {
  expect(lintOf(exampleDraft, ["bin/weather.js", "src/station.js", "package.json"])).toEqual([]);
  for (const text of exampleDraft.values()) expect(planFormat).toContain(text);
});
