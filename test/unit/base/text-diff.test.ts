import { array, assert, constantFrom, property } from "fast-check";
import { expect, test } from "vitest";
import { textDiff } from "../../../src/base/text-diff.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

test("The same text has no difference.", () => {
  expect(textDiff("a\nb\n", "a\nb\n")).toEqual([]);
});

test("A changed line stands between the three lines before and after it.", () => {
  const before = numbered(9);

  expect(textDiff(before, before.replace("line 5", "line five"))).toEqual([
    "@@ -2,7 +2,7 @@",
    " line 2",
    " line 3",
    " line 4",
    "-line 5",
    "+line five",
    " line 6",
    " line 7",
    " line 8",
  ]);
});

test("Changes far from each other are hunks of their own.", () => {
  const before = numbered(30);
  const after = before.replace("line 2\n", "").replace("line 29\n", "line 29\nline 29a\n");

  expect(textDiff(before, after).filter((line) => !line.startsWith(" "))).toEqual([
    "@@ -1,5 +1,4 @@",
    "-line 2",
    "@@ -27,4 +26,5 @@",
    "+line 29a",
  ]);
});

test("A text that appears or disappears is shown whole.", () => {
  expect(textDiff("", "a\nb\n")).toEqual(["@@ -0,0 +1,2 @@", "+a", "+b"]);
  expect(textDiff("a\n", "")).toEqual(["@@ -1,1 +0,0 @@", "-a"]);
});

test("Texts too long to compare line by line are shown as one change, in time.", () => {
  const [before, after] = [numbered(5_000), numbered(5_000).replaceAll("line", "row")];

  const lines = textDiff(`same\n${before}`, `same\n${after}`);

  expect(lines).toHaveLength(1 + 1 + 5_000 + 5_000);
  expect(lines.slice(0, 3)).toEqual(["@@ -1,5001 +1,5001 @@", " same", "-line 1"]);
});

test("Whatever two texts are, the difference makes the one out of the other.", () => {
  const text = array(constantFrom("a", "b", "c", ""), { maxLength: 20 }).map((lines) => lines.join("\n"));
  assert(
    property(text, text, (before, after) => {
      expect(applied(before, textDiff(before, after))).toEqual(linesOf(after));
    }),
    { seed: 8, numRuns: 500 },
  );
});

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** Does to a text what a difference says; every line that stays or goes must be the one it names. */
function applied(before: string, diff: readonly string[]): string[] {
  const [old, made] = [linesOf(before), [] as string[]];
  let at = 0;
  for (const line of diff) {
    const head = /^@@ -(\d+),(\d+) \+\d+,\d+ @@$/.exec(line);
    if (head !== null) {
      const start = Number(head[1]) - (head[2] === "0" ? 0 : 1);
      made.push(...old.slice(at, start));
      at = start;
      continue;
    }
    if (!line.startsWith("+")) expect(old[at++]).toBe(line.slice(1));
    if (!line.startsWith("-")) made.push(line.slice(1));
  }
  return [...made, ...old.slice(at)];
}
