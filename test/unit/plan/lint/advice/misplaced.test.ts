import { expect, test } from "vitest";
import { adviseMisplaced } from "../../../../../src/plan/lint/advice/misplaced.ts";

test.each([
  [".stint/config.yml", ".stint/config.yaml"],
  [".stint/settings.json", ".stint/config.yaml"],
  ["stint.yaml", ".stint/config.yaml"],
  [".stintrc.yml", ".stint/config.yaml"],
  [".stint/rules.yaml", ".stint/rules.md"],
])("%s is not read, and belongs in %s", (path, right) => {
  expect(adviseMisplaced(new Set(), [path])).toEqual(adviseMisplaced(new Set(["a", path, "z"]), []));
  expect(adviseMisplaced(new Set([path]), [path])).toEqual([
    {
      file: path,
      line: 1,
      column: 1,
      severity: "warning",
      code: "not-read",
      message: `this file is not read. Move it: \`git mv ${path} ${right}\``,
    },
  ]);
});

test.each([
  ".stint/config.yaml",
  ".stint/rules.md",
  ".stint/prompts/task.md",
  "config.yml",
  "rules.md",
  "src/stint.yaml",
])("%s is fine", (path) => {
  expect(adviseMisplaced(new Set([path]), [path])).toEqual([]);
});
