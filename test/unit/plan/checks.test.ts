import { expect, test } from "vitest";
import { checkList, placeChecks } from "../../../src/plan/checks.ts";
import { complaints } from "../../rig/front-matter.ts";

test.each<[string, string[]]>([
  [
    "title: A\nfiles: [a]\nchecks: ['', {run: ' '}]",
    [
      "4:10 error empty-command: checks[0].run is an empty command, which would always pass",
      "4:15 error empty-command: checks[1].run is an empty command, which would always pass",
    ],
  ],
  [
    "title: A\nfiles: [a]\nchecks: [{ run: x, exists: y }, { red: false }, { exists: y, network: true }, { judge: x, red: true }]",
    [
      "4:10 error check-kind: checks[0] must have exactly one of run, exists, contains, absent, judge, but has run and exists",
      "4:33 error check-kind: checks[1] must have exactly one of run, exists, contains, absent, judge, but has none",
      "4:49 error check-kind: checks[2] has network, which only a run check can have",
      "4:79 error check-kind: checks[3] has red, which a judge check cannot have",
    ],
  ],
  ["title: A\nfiles: [a]\nchecks: [{ runs: x }]", ['4:12 error unknown-key: unknown key "runs"; did you mean "run"?']],
  [
    "title: A\nfiles: [a]\nchecks: [{ run: x, env: { A=B: c, PORT: 3000 } }]",
    [
      "4:27 error bad-value: checks[0].env.A=B must be the name of an environment variable: letters, digits and _",
      "4:35 error bad-value: checks[0].env.PORT must be text, but is the number 3000; put it in quotes",
    ],
  ],
])("the task %j is refused with what to change", (task, expected) => {
  expect(complaints({ task })).toEqual(expected.map((line) => `tasks/a.md:${line}`));
});

test("only a check of a task can be required to be red first", () => {
  const specs = ["npm test", { exists: "a" }, { absent: "b", red: false }, { judge: "Kind?" }];
  const reds = (canBeRed: boolean) =>
    checkList(canBeRed)
      .parse(specs)
      .map(({ red }) => red);
  expect(reds(true)).toEqual([true, true, false, false]);
  expect(reds(false)).toEqual([false, false, false, false]);
});

test("each check gets the place of its own entry", () => {
  const specs = checkList(true).parse(["a", "b"]);
  const placed = placeChecks(specs, (path) => ({ line: Number(path.at(-1)) + 1, column: path.length }));
  expect(placed.map(({ at }) => at)).toEqual([
    { line: 1, column: 2 },
    { line: 2, column: 2 },
  ]);
});

test("a text of blanks may be looked for, an empty one not", () => {
  const contains = (text: string) => checkList(true).safeParse([{ contains: { file: "a", text } }]).success;
  expect([contains(" "), contains("")]).toEqual([true, false]);
});
