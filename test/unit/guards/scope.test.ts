import { expect, test } from "vitest";
import { guardChanges, guardLinks } from "../../../src/guards/scope.ts";
import type { Contents } from "../../../src/guards/content-guard.ts";
import { defaultRules } from "../../../src/plan/rules.ts";
import type { Task } from "../../../src/plan/types.ts";

const task = {
  files: { create: ["src/new.ts"], modify: ["src/a.ts", "lib/**"], delete: [], touch: [] },
} as unknown as Task;

test.each([
  [
    "M",
    "src/b.ts",
    "scope",
    "was changed, but it is not in the task's files.modify. Undo the change, or ask for the file.",
  ],
  ["A", "src/b.ts", "scope", "was created, but it is not in the task's files.create. Delete it, or ask for the file."],
  [
    "D",
    "src/a.ts",
    "scope",
    "was deleted, but it is not in the task's files.delete. Put it back, or ask for the file.",
  ],
  [
    "M",
    "test/a.test.ts",
    "protected",
    "was changed, but it is protected (test): the task does not name it. Undo the change, or ask for the file.",
  ],
  [
    "M",
    "plans/p/plan.md",
    "protected",
    "was changed, but it belongs to the plan or the settings, which agents must not change. Undo the change.",
  ],
  [
    "A",
    "lib/.env",
    "forbidden",
    "was created, but it may never change: it is a place for keys and secrets. Delete it.",
  ],
] as const)("%s %s is refused, and the message says how to fix it.", (status, path, guard, why) => {
  expect(guardChanges([{ status, path, lines: 1 }], task, defaultRules)).toEqual([{ guard, path, why }]);
});

test("What the task names passes.", () => {
  const named = [
    { status: "M", path: "src/a.ts", lines: 1 },
    { status: "A", path: "src/new.ts", lines: 1 },
    { status: "M", path: "lib/deep/b.ts", lines: 1 },
  ] as const;
  expect(guardChanges(named, task, defaultRules)).toEqual([]);
});

test("More lines than the rules allow are refused.", () => {
  const rules = { ...defaultRules, maxChangedLines: 10 };
  expect(guardChanges([{ status: "M", path: "src/a.ts", lines: 11 }], task, rules)).toEqual([
    { guard: "size", path: "", why: "11 lines changed; the rules allow 10. Make a smaller change." },
  ]);
  expect(guardChanges([{ status: "M", path: "src/a.ts", lines: 10 }], task, rules)).toEqual([]);
});

test("`**` names no file that can decide what a check runs.", () => {
  const all = { files: { create: [], modify: ["**"], delete: [], touch: [] } } as unknown as Task;
  expect(guardChanges([{ status: "M", path: "Makefile", lines: 1 }], all, defaultRules)).toEqual([
    {
      guard: "protected",
      path: "Makefile",
      why: "was changed, but it can decide what a check runs, and the task does not name it (`**` does not count). Undo the change, or ask for the file.",
    },
  ]);
});

const link = (path: string, target: string) =>
  guardLinks(
    {
      changes: [{ path, status: "A", before: null, after: target, tooLarge: false, isLink: true }],
      rules: { protect: ["golden/**"] as readonly string[] },
    } as unknown as Contents,
    async () => null,
  );

test("A link to what judges the work is no work.", async () => {
  expect(await link("public/a.html", "../test/expected/a.html")).toEqual([
    {
      guard: "protected",
      path: "public/a.html",
      why: "is a symbolic link to test/expected/a.html, which is protected (test). Make it a regular file.",
    },
  ]);
  expect(await link("public", "tests")).toHaveLength(1);
  expect(await link("out.txt", "golden/out.txt")).toHaveLength(1);
});

test.each([
  ["docs/latest", "v2"],
  ["bin/tool", "../src/tool.js"],
  ["test/fixtures/b.json", "a.json"],
])("The link %s to %s is honest.", async (path, target) => {
  expect(await link(path, target)).toEqual([]);
});
