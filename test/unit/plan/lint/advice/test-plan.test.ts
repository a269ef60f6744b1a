import { expect, test } from "vitest";
import { adviceOnTask, type AdvisedTask } from "../../../../rig/advice.ts";

test("a missing test plan is reported at the files, an empty one at its heading", () => {
  const cure = "Say which cases its tests cover, and in which files.";
  expect(adviceOnTask({ body: "## Goal\n\nIt is rounded." })).toEqual([
    `a:3:1: no-test-plan: The task writes code and has no section "Test plan". ${cure}`,
  ]);
  expect(adviceOnTask({ body: "## Goal\n\nx\n\n## Test Plan\n<!-- later -->\n\n## Steps\n\nx" })).toEqual([
    `a:13:1: no-test-plan: The section "Test Plan" is empty. ${cure}`,
  ]);
});

test.each<readonly [string, AdvisedTask]>([
  ["prose needs none", { files: ["README.md"], checks: [{ exists: "README.md" }] }],
  ["nor do settings", { files: ["tsconfig.json", "deploy.yaml", "Makefile"] }],
  ["nor does what is deleted", { files: { delete: ["src/a.ts"] } }],
  ["nor do the tests themselves", { files: { create: ["test/a.test.ts", "src/b.spec.tsx"] } }],
  ["another heading about tests does as well", { body: "## Goal\n\nx\n\n## Tests\n\nHalf a cent." }],
  ["and so does a list in a fence", { body: "## Goal\n\nx\n\n## Test plan\n\n```\nhalf a cent\n```" }],
])("honest: %s", (_, { body = "## Goal\n\nx", ...task }) => {
  expect(adviceOnTask({ body, ...task })).toEqual([]);
});
