import { expect, test } from "vitest";
import { parseDocument } from "../../../src/plan/document.ts";
import { sortProblems } from "../../../src/plan/problem.ts";
import { readTaskLines } from "../../../src/plan/task-lines.ts";

/** Reads lines below `## Tasks`, which is on line 4, beside the task files `a` and `b`. */
function read(lines: string) {
  const document = parseDocument("plan.md", new TextEncoder().encode(`---\ntitle: P\n---\n## Tasks\n${lines}\n`));
  if ("problems" in document) throw new Error(JSON.stringify(document.problems));
  return readTaskLines(document, new Set(["a", "b"]));
}

const complaints = (lines: string) =>
  sortProblems(read(lines).problems).map(({ line, column, code, message }) => `${line}:${column} ${code}: ${message}`);

test("a line has its task, its tick and its place, however the list is marked", () => {
  const { lines, problems } = read("* [x] [b](./tasks/b.md) B\n\n  10. [ ] [a](tasks/a.md)");
  expect(problems).toEqual([]);
  expect(lines).toEqual([
    { id: "b", ticked: true, at: { line: 5, column: 1 } },
    { id: "a", ticked: false, at: { line: 7, column: 3 } },
  ]);
});

test("the lines of ## Tasks and the task files must agree", () => {
  expect(complaints("- [-] [a](tasks/a.md) A\n- [ ] [zz](tasks/zz.md) Z\n- [ ] [zz](tasks/zz.md)")).toEqual([
    '4:1 unlisted-task: the task "b" has no line under "## Tasks"; add "- [ ] [b](tasks/b.md) title"',
    '5:1 unknown-marker: unknown marker "[-]"; write "[ ]" or "[x]"',
    "6:1 unknown-task: no task file tasks/zz.md exists for this line",
    "7:1 unknown-task: no task file tasks/zz.md exists for this line",
  ]);
  expect(complaints("- [ ] [a](tasks/a.md)\n- [x] [b](tasks/b.md)\n  - [ ] [a](tasks/a.md)")).toEqual([
    '7:3 duplicate-line: the task "a" is listed twice',
  ]);
  expect(complaints("- [ ] [a](tasks/b.md)\n- b\n- [X] [b](tasks/b.md)\n  - a note\nwords")).toEqual([
    '4:1 unlisted-task: the task "a" has no line under "## Tasks"; add "- [ ] [a](tasks/a.md) title"',
    '5:1 unknown-task: a line of "## Tasks" names its task file: "- [ ] [id](tasks/id.md) title"',
    '6:1 unknown-task: a line of "## Tasks" names its task file: "- [ ] [id](tasks/id.md) title"',
    '7:1 unknown-marker: unknown marker "[X]"; write "[ ]" or "[x]"',
  ]);
});

test("lines in fences, comments and other sections are no task lines", () => {
  const hidden = "```\n- [ ] [a](tasks/a.md)\n```\n<!--\n- [ ] [a](tasks/a.md)\n-->\n- [ ] [b](tasks/b.md)\n## Notes\n";
  expect(complaints(`${hidden}- [ ] [a](tasks/a.md)`)).toEqual([
    '4:1 unlisted-task: the task "a" has no line under "## Tasks"; add "- [ ] [a](tasks/a.md) title"',
  ]);
  expect(complaints("- [ ] [b](tasks/b.md)\n## Tasks\n- [ ] [a](tasks/a.md)")).toEqual([
    '6:1 duplicate-section: a second "## Tasks" heading; keep one',
  ]);
});
