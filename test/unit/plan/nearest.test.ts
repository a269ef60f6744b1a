import { expect, test } from "vitest";
import { nearest, unknownNameMessage } from "../../../src/plan/nearest.ts";

const keys = ["title", "depends", "files", "checks", "estimate"];

test.each([
  ["titel", "title"],
  ["dependz", "depends"],
  ["file", "files"],
  ["chekcs", "checks"],
  ["est", "estimate"],
])("%s probably means %s", (word, meant) => {
  expect(nearest(word, keys)).toBe(meant);
});

test.each(["owner", "x", "", "tit1e5", "files-of-all"])("nothing is close to %j", (word) => {
  expect(nearest(word, keys)).toBeUndefined();
});

test("of two close names the closer one is meant", () => {
  expect(nearest("task-10", ["task-23", "task-11"])).toBe("task-11");
  expect(nearest("abdc", ["abxy", "abcd"])).toBe("abcd");
});

test("a very long name is compared by its beginning only", () => {
  const long = "k".repeat(65);
  expect(nearest(long, [`${long}s`])).toBe(`${long}s`);
  expect(nearest(`${long}x`, [`${long}s`])).toBeUndefined();
});

test("the message suggests the name, or lists all", () => {
  expect(unknownNameMessage("key", "titel", keys)).toBe('unknown key "titel"; did you mean "title"?');
  expect(unknownNameMessage("event", "zzz", ["done", "asks"])).toBe('unknown event "zzz"; known events: done, asks');
});
