import { expect, test } from "vitest";
import { expectCode } from "../../rig/facts.ts";
import { document, makes, plan } from "../../rig/plan.ts";
import { createRig } from "../../rig/rig.ts";

const badTask = `---
title: Write a
dependz: []
files: [a.txt]
checks:
  - grep -q ready a.txt
---

## Goal

Write it.
`;

test("A plan without errors is accepted with 0.", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });

  expect(await rig.stint(["lint"])).toMatchObject({ code: 0, stderr: "" });
});

test("An error is reported with file, line, column and the nearest known key, and lint ends with 2.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    files: { "plans/work/tasks/01-a.md": badTask },
  });

  const lint = await rig.stint(["lint"]);

  expectCode(lint, 2);
  expect(lint.stdout).toMatch(/^plans\/work\/tasks\/01-a\.md:3:1: error: .*dependz.*depends.*$/m);
});

test("The same error as JSON has the same place.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    files: { "plans/work/tasks/01-a.md": badTask },
  });

  const lint = await rig.stint(["lint", "--json"]);

  expectCode(lint, 2);
  const problems = (JSON.parse(lint.stdout) as { severity: string }[]).filter(({ severity }) => severity === "error");
  expect(problems).toEqual([
    {
      file: "plans/work/tasks/01-a.md",
      line: 3,
      column: 1,
      severity: "error",
      code: expect.stringMatching(/./),
      message: expect.stringContaining("dependz"),
    },
  ]);
});

test("A cycle is printed, and neither approve nor run accept it.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { depends: ["02-b"] }), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
  });

  const lint = await rig.stint(["lint"]);

  expectCode(lint, 2);
  expect(lint.stdout).toMatch(/01-a.*02-b.*01-a|02-b.*01-a.*02-b/);
  expect(lint.stdout).toMatch(/\n2 tasks in or after a cycle; 1 error\n$/);
  expectCode(await rig.stint(["approve", "--yes"]), 2);
  expectCode(await rig.stint(["run", "--yes"]), 2);
});

test("An unknown key of the settings is an error with its file, line and the nearest known key.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    files: { ".stint/config.yaml": "run:\n  paralel: 1\n" },
  });

  const lint = await rig.stint(["lint"]);

  expectCode(lint, 2);
  expect(lint.stdout).toMatch(/^\.stint\/config\.yaml:2:3: error: .*paralel.*parallel.*$/m);
});

test("Lint of one plan by name says nothing of another.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    files: {
      ...plan({ name: "other", tasks: { "01-b": makes("b.txt") } }),
      "plans/other/tasks/01-b.md": "no front matter\n",
    },
  });

  expectCode(await rig.stint(["lint", "work"]), 0);
  expectCode(await rig.stint(["lint", "other"]), 2);
});

const vague = document(
  { title: "Fix stuff", files: { create: ["src/a.ts"] }, checks: ["no-such-program-anywhere a"] },
  "## Goal\n\nWrite it.",
);

test("Warnings are reported with their places, the shape ends the page, and lint ends with 0.", async () => {
  const tasks = { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }), "03-c": makes("c.txt") };
  await using rig = await createRig({
    plan: { tasks, checks: ["npm run e2e"] },
    files: { "plans/work/tasks/03-c.md": vague, "package.json": '{ "scripts": { "test": "node --test" } }' },
  });
  const program =
    "The program no-such-program-anywhere is not found on this machine's PATH. Install it, call it through its package manager (npx, or a path such as node_modules/.bin), or correct the command.";
  const script = 'package.json at HEAD has no script "e2e". Add it, or have an earlier task change package.json.';
  const title =
    'The title "Fix stuff" does not say what changes. Write it so that a search finds the commit, such as "Round VAT half up".';
  const plan =
    'The task writes code and has no section "Test plan". Say which cases its tests cover, and in which files.';

  const lint = await rig.stint(["lint"]);

  expect(lint).toMatchObject({ code: 0, stderr: "" });
  expect(lint.stdout.split("\n")).toEqual([
    `plans/work/plan.md:6:5: warning: ${script}`,
    `plans/work/tasks/03-c.md:2:1: warning: ${title}`,
    `plans/work/tasks/03-c.md:3:1: warning: ${plan}`,
    `plans/work/tasks/03-c.md:7:5: warning: ${program}`,
    "3 tasks in 2 waves; critical path 01-a > 02-b, 30m of 1h in all (1 without an estimate, counted as 30m); 4 warnings",
    "",
  ]);

  const json = JSON.parse((await rig.stint(["lint", "--json"])).stdout) as { severity: string; code: string }[];
  expect(json.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
    "warning missing-script",
    "warning vague-title",
    "warning no-test-plan",
    "warning missing-program",
  ]);
  // The page of approval has them; what a run says stays quiet.
  const run = await rig.stint(["run", "--yes", "--dry-run"]);
  expect(run.stdout).toContain("\nWarnings:\n");
  expect(run.stderr).not.toContain("warning");
});
