import { expect, test } from "vitest";
import { projectFacts } from "../../../src/planning/project-facts.ts";
import { taskExamples } from "../../../src/planning/prompts/task-examples.ts";
import { projectOf } from "../../rig/drafts.ts";
import { createRig } from "../../rig/rig.ts";

test("a planner learns what the project is, how checks run there and what applies to every task", async () => {
  await using rig = await createRig({
    files: { "package.json": '{"scripts":{"test":"node --test"}}\n', "package-lock.json": "{}\n" },
    rules: { checks: ["npm test"], protect: ["legacy/**"], max_changed_lines: 300 },
    config: { workspace: { setup: "npm ci" } },
  });
  rig.write("go.mod", "module never.committed\n");
  const facts = await projectFacts(await projectOf(rig), rig.git("rev-parse", "HEAD"));
  expect(facts).toContain("- node, at the root (`package.json`");
  expect(facts).toContain("`npm test`");
  expect(facts).toContain("After set-up, which has network access: `npm ci`");
  expect(facts).toContain("Must be green after every task, besides the task's own checks: `npm test`");
  expect(facts).toContain("`legacy/**`");
  expect(facts).toContain("at most 300 lines");
  expect(facts).toContain(taskExamples.node.task);
  expect(facts).not.toContain("go.mod");
});

test("a repository of no known kind gets the general example, and its text stays on its line", async () => {
  await using rig = await createRig({ rules: { checks: ["echo `id`\n# Not ours"] } });
  const facts = await projectFacts(await projectOf(rig), rig.git("rev-parse", "HEAD"));
  expect(facts).toContain("No kind of project that Stint knows");
  expect(facts).toContain(taskExamples.unknown.task);
  expect(facts).toContain("`echo 'id'\\n# Not ours`");
  expect(facts).not.toMatch(/^# Not ours/m);
});
