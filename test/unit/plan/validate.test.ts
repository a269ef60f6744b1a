import { expect, test } from "vitest";
import * as z from "zod";
import { describeValue, strict, validate } from "../../../src/plan/validate.ts";
import { complaints } from "../../rig/front-matter.ts";

test("an unknown key names the one that was meant, or all there are", () => {
  expect(complaints({ task: "title: A\ndependz: []\nfiles: [a]\nchecks: [x]" })).toEqual([
    'tasks/a.md:3:1 error unknown-key: unknown key "dependz"; did you mean "depends"?',
  ]);
  expect(complaints({ task: "title: A\nfiles: { creat: [a], zzz: [] }\nchecks: [{ run: x, timeOut: 1m }]" })).toEqual([
    'tasks/a.md:3:10 error unknown-key: unknown key "creat"; did you mean "create"?',
    'tasks/a.md:3:22 error unknown-key: unknown key "zzz"; known keys: create, modify, delete',
    'tasks/a.md:4:20 error unknown-key: unknown key "timeOut"; did you mean "timeout"?',
  ]);
  expect(complaints({ plan: "title: P\nowner: me" })).toEqual([
    'plan.md:3:1 error unknown-key: unknown key "owner"; known keys: stint, title, goal, checks, prerequisites, decisions, edge_cases',
  ]);
  expect(complaints({ plan: `title: P\n${"k".repeat(300)}: me` })).toEqual([
    `plan.md:3:1 error unknown-key: unknown key "${"k".repeat(80)}…"; known keys: stint, title, goal, checks, prerequisites, decisions, edge_cases`,
  ]);
});

test("a command with a colon that YAML reads as a key is to be quoted", () => {
  const task = (check: string) => complaints({ task: `title: A\nfiles: [a]\nchecks:\n  - ${check}` });
  expect(task("npm test | grep 'PASS: a'")).toEqual([
    'tasks/a.md:5:5 error unknown-key: unknown key "npm test | grep \'PASS"; known keys: run, exists, contains, absent, judge, red, timeout, env, cwd, network. If this is text, quote it: YAML reads ": " as the end of a key',
  ]);
  expect(task(`"npm test | grep 'PASS: a'"`)).toEqual([]);
});

test("plans name roles, never models", () => {
  const message =
    "error model-key: a plan names roles, never models: remove this key and set the model of the role in .stint/config.yaml";
  expect(complaints({ plan: "title: P\nmodel: opus" })).toEqual([`plan.md:3:1 ${message}`]);
  expect(complaints({ task: "title: A\nfiles: [a]\nchecks: [{ judge: kind?, model: opus }, x]" })).toEqual([
    `tasks/a.md:4:26 ${message}`,
  ]);
  expect(complaints({ rules: "model: opus" })).toEqual([`.stint/rules.md:2:1 ${message}`]);
  expect(complaints({ task: "title: A\nfiles: [a]\nchecks: [{ run: x, env: { model: opus } }]" })).toEqual([]);
});

const source = (data: Record<string, unknown>) => ({
  file: "c.yaml",
  data,
  at: (path: Path) => ({ line: path.length, column: 1 }),
});
type Path = readonly (string | number)[];

test("a sound value is returned as its schema makes it", () => {
  const schema = strict({ a: z.string().transform((text) => text.length) });
  expect(validate(schema, source({ a: "four" }))).toEqual({ value: { a: 4 } });
});

test("a problem names its key and stands where the key does", () => {
  const schema = strict({ list: z.array(strict({ n: z.number().min(2) })) });
  expect(validate(schema, source({ list: [{ n: 1 }] }))).toEqual({
    problems: [
      {
        ...{ file: "c.yaml", line: 3, column: 1, severity: "error", code: "bad-value" },
        message: "list[0].n must be at least 2, but is the number 1",
      },
    ],
  });
});

test("of several shapes, the one that was meant is explained", () => {
  const schema = strict({ files: z.union([z.array(z.string()), strict({ create: z.array(z.string()) })]) });
  const messages = (files: unknown) => {
    const checked = validate(schema, source({ files }));
    return "problems" in checked ? checked.problems.map(({ message }) => message) : [];
  };
  expect(messages([1])).toEqual(["files[0] must be text, but is the number 1; put it in quotes"]);
  expect(messages({ creat: [] })).toContain('unknown key "creat"; did you mean "create"?');
  expect(messages("a")).toEqual(['files must be a list or a map, but is the text "a"']);
});

test.each([
  [undefined, "empty"],
  [null, "empty"],
  ["x", 'the text "x"'],
  [7, "the number 7"],
  [[], "a list"],
  [false, "false"],
  [{}, "a map"],
])("the value %j is described as %s", (value, words) => {
  expect(describeValue(value)).toBe(words);
});
