import { expect, test } from "vitest";
import { expectCode } from "./rig/facts.ts";
import { makes, plan } from "./rig/plan.ts";
import { createRig } from "./rig/rig.ts";

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

test("An error is told with file, line, column and the nearest known key, and lint ends with 2.", async () => {
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
