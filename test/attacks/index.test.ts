import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const document = readFileSync(join(import.meta.dirname, "..", "..", "docs", "attacks.md"), "utf8");

/** A row of the table: the attack's number, its words, its tests, its control. */
const rows = document
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));

/** The numbers of the project's list that this version answers for. */
const numbers = [...Array.from({ length: 20 }, (_, at) => at + 1), 30, 33, 34, 35, 36, 38, 39, 40, 44, 45];

test("every attack of the list has a row, with its words, its tests and its control", () => {
  expect(rows.map(([number]) => Number(number))).toEqual(numbers);
  for (const row of rows) expect(row.map((cell) => cell.trim() === "")).toEqual([false, false, false, false]);
  for (const [, , tests = ""] of rows) expect(namedTests(tests)).not.toEqual([]);
});

test.each(rows.map(([number = "", words = "", ...cells]) => [number, words, cells.join("; ")] as const))(
  "attack %s, %s: the tests that the table names exist",
  (_, __, cells) => {
    const missing = namedTests(cells).filter(([file, name]) => !isTestOf(file, name));
    expect(missing).toEqual([]);
  },
);

test("a test that does not exist would be missed", () => {
  const [known] = namedTests('`workspace-attacks`: "attack 1: hooks in the workspace", "attack 1: hooks elsewhere"');
  expect(known).toEqual(["workspace-attacks", "attack 1: hooks in the workspace"]);
  expect(isTestOf("workspace-attacks", "attack 1: hooks in the workspace")).toBe(true);
  expect(isTestOf("workspace-attacks", "attack 1: hooks elsewhere")).toBe(false);
});

/** Pairs of a file and a test's name; names follow their file until the next file. */
function namedTests(cells: string): (readonly [file: string, name: string])[] {
  let file = "";
  return [...cells.matchAll(/`([\w./-]+)`: |"((?:[^"\\]|\\.)+)"/g)].flatMap(([, path, name]) => {
    if (path !== undefined) file = path;
    return name === undefined || file === "" ? [] : [[file, name.replaceAll('\\"', '"')] as const];
  });
}

/** Whether a name stands in the source as the title of a test, in quotes after `(` or on a line of its own. */
function isTestOf(file: string, name: string): boolean {
  const source = readFileSync(join(import.meta.dirname, `${file}.test.ts`), "utf8");
  return ["(", "\n  "].some((before) =>
    [`"${name}"`, `'${name}'`].some((title) => source.includes(`${before}${title},`)),
  );
}
