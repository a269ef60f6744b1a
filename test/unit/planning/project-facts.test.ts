import { expect, test } from "vitest";
import { readPlan } from "../../../src/approval/committed-plan.ts";
import { projectFacts } from "../../../src/planning/project-facts.ts";
import { exampleDraft, planFormat } from "../../../src/planning/prompts/plan-format.ts";
import { taskExamples } from "../../../src/planning/prompts/task-examples.ts";
import { advise } from "../../../src/plan/lint/advice/advise.ts";
import { projectOf } from "../../rig/drafts.ts";
import { createRig } from "../../rig/rig.ts";

function problemsOf(draft: ReadonlyMap<string, string>, repoFiles: readonly string[]): string[] {
  const files = new Map([...draft].map(([name, text]) => [`plans/p/${name}`, { bytes: Buffer.from(text) }]));
  const env = { PATH: "/nowhere", HOME: "/nowhere" };
  const { plan, rules, problems } = readPlan({ env }, { plan: "p", files, repoFiles: new Set(repoFiles) });
  const advice = plan === undefined ? [] : advise({ plan, rules, files, repoFiles: new Set(repoFiles) });
  return [...problems, ...advice].map(({ file, line, message }) => `${file}:${line}: ${message}`);
}

test("lint has nothing to say about the example that a planner learns from", () => {
  expect(problemsOf(exampleDraft, ["bin/weather.js", "src/station.js", "package.json"])).toEqual([]);
  for (const text of exampleDraft.values()) expect(planFormat).toContain(text);
});

test.each(Object.entries(taskExamples))("the worked task for %s is one that lint accepts", (_, { task }) => {
  const head = exampleDraft.get("plan.md")!.replace(/## Tasks[^]*/, "## Tasks\n\n- [ ] [01-x](tasks/01-x.md)\n");
  const draft = new Map([
    ["plan.md", head],
    ["scope.md", exampleDraft.get("scope.md")!],
    ["tasks/01-x.md", task],
  ]);
  expect(problemsOf(draft, ["src/lib.rs", "package.json"])).toEqual([]);
});

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
