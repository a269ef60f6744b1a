import { expect, test } from "vitest";
import { planningLimits } from "../../../../src/planning/limits.ts";
import { outlineOf } from "../../../../src/planning/map/outline.ts";
import { factsOf } from "../../../../src/planning/map/symbols.ts";

/** Lists the outline as `line: text`. */
function linesOf(path: string, text: string): string[] {
  return outlineOf(path, text).map(({ line, signature }) => `${line}: ${signature}`);
}

const outlines: readonly (readonly [string, string, readonly string[]])[] = [
  ["README.md", "# Shop\ntext\n```\n# no heading\n```\n## Use\n#### deep\n", ["1: # Shop", "6: ## Use"]],
  ["package.json", '{\n  "name": "x",\n  "scripts": {\n    "test": "y"\n  }\n}\n', ["2: name", "3: scripts"]],
  ["ci.yaml", "on: push\njobs:\n  test: 1\n", ["1: on", "2: jobs"]],
  ["Cargo.toml", '[package]\nname = "x"\n[dependencies]\n', ["1: [package]", "3: [dependencies]"]],
  ["run.sh", "#!/bin/sh\nmain() {\n  :\n}\n", ["2: main"]],
  ["notes.txt", "\n\nWhat this is about.\nMore.\n", ["3: What this is about."]],
  ["empty.txt", "", []],
  ["schema.sql", "-- tables\nCREATE TABLE users (\n  id int\n);\n", ["2: CREATE TABLE users"]],
  ["api.proto", "message User {\n  string name = 1;\n}\n", ["1: message User"]],
];

test.each(outlines)("%s, which is not code, has an outline.", async (path, text, lines) => {
  expect(linesOf(path, text)).toEqual(lines);
  expect((await factsOf(path, text)).symbols).toEqual(outlineOf(path, text));
});

test("An outline is bounded, and a line without text is left out.", () => {
  const many = Array.from({ length: planningLimits.mapOutlineLinesMax + 9 }, (_, at) => `# ${at}\n`).join("");
  expect(linesOf("a.md", many)).toHaveLength(planningLimits.mapOutlineLinesMax);
  expect(linesOf("a.txt", "---\n***\n")).toEqual([]);
});
