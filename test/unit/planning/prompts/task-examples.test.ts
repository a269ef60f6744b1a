import { expect, test } from "vitest";
import { exampleDraft } from "../../../../src/planning/prompts/plan-format.ts";
import { taskExamples } from "../../../../src/planning/prompts/task-examples.ts";
import { lintOf } from "../../../rig/drafts.ts";

test.each(Object.entries(taskExamples))("the worked task for %s is one that lint accepts", (_, { task }) => {
  const head = exampleDraft.get("plan.md")!.replace(/## Tasks[^]*/, "## Tasks\n\n- [ ] [01-x](tasks/01-x.md)\n");
  const draft = new Map([
    ["plan.md", head],
    ["scope.md", exampleDraft.get("scope.md")!],
    ["tasks/01-x.md", task],
  ]);
  expect(lintOf(draft, ["src/lib.rs", "package.json"])).toEqual([]);
});
