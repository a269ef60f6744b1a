import { expect, test } from "vitest";
import { lineWith, linesOfBoth, runnerOf, usesIn, type Subject } from "../../../../src/guards/definitions/subject.ts";

const by = (line: string, hookOf: string | null = null) => ({ by: line, hookOf });
const uses = (entries: object, programs: object) => ({
  entries: new Map([["package.json", new Map(Object.entries(entries))]]),
  programs: new Map(Object.entries(programs)),
  files: new Map(),
});
const subject = {
  path: "package.json",
  before: "{\n  a: 1,\n  b: 2\n}",
  after: "{\n  b: 2,\n  a: 1,\n  a: 3\n}",
  was: uses({ test: by("npm test"), lint: by("npm run lint") }, { npm: "npm test" }),
  is: uses(
    { test: by("npm run all", "all"), build: by("npm run build") },
    { npm: "npm run all", vitest: "npm run all" },
  ),
} as unknown as Subject;

test("The first line that has all words is shown, by its number from 1.", () => {
  expect(lineWith("x\na b\nb a", "+", "a", "b")).toEqual([{ sign: "+", line: 2, text: "a b" }]);
  expect(lineWith("x", "-", "a")).toEqual([]);
  expect(lineWith(null, "-", "a")).toEqual([]);
});

test("A line is shown before and after only where it differs, wherever it stands.", () => {
  expect(linesOfBoth(subject, "a:")).toEqual([]);
  expect(linesOfBoth(subject, "b:")).toEqual([
    { sign: "-", line: 3, text: "  b: 2" },
    { sign: "+", line: 2, text: "  b: 2," },
  ]);
});

test("Entries of both sides are used; what the check was approved with outweighs what is new.", () => {
  expect([...usesIn(subject)]).toEqual([
    ["test", by("npm test")],
    ["build", by("npm run build")],
    ["lint", by("npm run lint")],
  ]);
});

test("The command line that leads to a program is the old one, where there was one.", () => {
  expect(runnerOf(subject, /^npm$/)).toBe("npm test");
  expect(runnerOf(subject, /^vitest$/)).toBe("npm run all");
  expect(runnerOf(subject, /^make$/)).toBeUndefined();
});
