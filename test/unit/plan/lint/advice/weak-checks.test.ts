import { expect, test } from "vitest";
import { adviceOnTask, type AdvisedTask } from "../../../../rig/advice.ts";

const said =
  "weak-checks: No check of this task runs the code it writes: they only look at files, print, or ask a judge. Add a run check that fails while the behaviour is missing, such as its tests.";
const contains = { contains: { file: "src/a.ts", text: "x" } };

test("a task whose checks run nothing is warned of at its checks", () => {
  expect(adviceOnTask({ checks: [{ exists: "src/a.ts" }] })).toEqual([`a:5:1: ${said}`]);
});

test.each([
  [[{ exists: "src/a.ts" }, contains, { absent: "src/old.ts" }]],
  [["test -f src/a.ts"]],
  [["true"]],
  [["echo done && ls src | grep a.ts"]],
  [["! grep -q TODO src/a.ts"]],
  [["[ -s src/a.ts ] || exit 1"]],
  [['test "$(cat src/a.ts | wc -l)" -gt 3']],
  [[contains, { judge: "Is it good?" }]],
  [["cd src && grep -q a a.ts"]],
  [["if test -e src/a.ts; then true; else exit 1; fi"]],
])("weak: %j", (checks) => {
  expect(adviceOnTask({ checks }).map((line) => line.split(" ")[1])).toEqual(["weak-checks:"]);
});

test.each<readonly [string, AdvisedTask]>([
  ["one of them runs something", { checks: [{ exists: "src/a.ts" }, "node --test"] }],
  ["what is looked at was made by running the code", { checks: ["node src/a.ts | grep -x 25.69"] }],
  ["the same within quotes", { checks: ['test "$(node src/a.ts)" = 42'] }],
  ["the same in backticks", { checks: ['test "`node src/a.ts`" = 42'] }],
  ["a regression check runs it", { checks: [contains, { run: "npm test", red: false }] }],
  ["prose has no behaviour", { files: ["README.md", "docs/**"], checks: [contains] }],
  ["nor has a picture or a translation", { files: ["logo.svg", "locales/**"], checks: [contains] }],
  ["what is deleted is absent", { files: { delete: ["src/old.ts"] }, checks: [{ absent: "src/old.ts" }] }],
  ["a script of the repo may do anything", { checks: ["./check.sh"] }],
])("honest: %s", (_, task) => {
  expect(adviceOnTask(task)).toEqual([]);
});
