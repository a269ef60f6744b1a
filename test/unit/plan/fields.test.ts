import { expect, test } from "vitest";
import type * as z from "zod";
import { duration, envName, inKey, optional, program, repoPath, text, wholeNumber } from "../../../src/plan/fields.ts";
import { complaints } from "../../rig/front-matter.ts";

test.each<[string, string[]]>([
  [
    "title: A\nfiles: [a]\nchecks: [x]\nestimate: 30",
    ['5:1 error bad-value: estimate must be a duration from 1ms to 576h such as "90s" or "10m", but is the number 30'],
  ],
  [
    "title: A\nfiles: [a]\nchecks: [{ run: x, timeout: 0s }, { run: x, timeout: 25d }, { run: x, timeout: 577h }]",
    [
      '4:20 error bad-value: checks[0].timeout must be a duration from 1ms to 576h such as "90s" or "10m", but is the text "0s"',
      '4:45 error bad-value: checks[1].timeout must be a duration from 1ms to 576h such as "90s" or "10m", but is the text "25d"',
      '4:71 error bad-value: checks[2].timeout must be a duration from 1ms to 576h such as "90s" or "10m", but is the text "577h"',
    ],
  ],
  [
    "title: A\nfiles: [/etc/passwd, ../x, a/../../b, '!a', '']\nchecks: [{ run: x, cwd: .. }]",
    [
      '3:9 error bad-path: files[0] must be a path inside the repo, relative to its root, without ".."',
      '3:22 error bad-path: files[1] must be a path inside the repo, relative to its root, without ".."',
      '3:28 error bad-path: files[2] must be a path inside the repo, relative to its root, without ".."',
      '3:39 error bad-path: files[3] must be a path inside the repo, relative to its root, without ".."',
      "3:45 error bad-value: files[4] must not be empty",
      '4:20 error bad-path: checks[0].cwd must be a path inside the repo, relative to its root, without ".."',
    ],
  ],
])("the task %j is refused with what to change", (task, expected) => {
  expect(complaints({ task })).toEqual(expected.map((line) => `tasks/a.md:${line}`));
});

const read = (schema: z.ZodType, value: unknown): unknown => {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : parsed.error.issues.map(({ message }) => message);
};

test("a duration is read in milliseconds, and zero, too much or another unit is none", () => {
  expect(["1ms", "90s", "10m", "576h"].map((text) => read(duration, text))).toEqual([
    1, 90_000, 600_000, 2_073_600_000,
  ]);
  for (const text of ["0s", "577h", "1d", "10 m", "-1s", "1.5h", "m", ""])
    expect(read(duration, text)).toEqual([expect.stringMatching(/^must be a duration from 1ms to 576h/)]);
});

test("a path is relative to the repo and stays in it; a leading ./ is dropped", () => {
  expect(["./a", ".//./a/b", "a/..b", "src/**", "!(a|b)"].map((path) => read(repoPath, path))).toEqual([
    ...["a", "a/b", "a/..b", "src/**", "!(a|b)"],
  ]);
  for (const path of ["/a", "\\a", "..", "a/../b", "a\\..\\b", "!a", "a\nb", "./"])
    expect(read(repoPath, path)).toEqual(['must be a path inside the repo, relative to its root, without ".."']);
});

test("an absent or empty key means its default, and a bare value its main key", () => {
  expect([undefined, null, "x"].map((value) => read(optional(text, "default"), value))).toEqual([
    "default",
    "default",
    "x",
  ]);
  expect(["x", null, ["y"], { run: "z" }].map((value) => inKey("run", value))).toEqual([
    ...[{ run: "x" }, { run: null }, ["y"], { run: "z" }],
  ]);
});

test("a whole number has its bounds, a program a name, and a variable no value", () => {
  expect([1, 9, 0, 10, 1.5].map((value) => wholeNumber(1, 9).safeParse(value).success)).toEqual([
    ...[true, true, false, false, false],
  ]);
  expect([["node", ""], [], [" "]].map((value) => program.safeParse(value).success)).toEqual([true, false, false]);
  expect(["_A1", "A=B", "1A", ""].map((value) => envName.safeParse(value).success)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
