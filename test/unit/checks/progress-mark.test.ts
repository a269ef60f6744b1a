import { expect, test } from "vitest";
import { progressMark } from "../../../src/checks/progress-mark.ts";

test.each([
  ["a counter in brackets", ["[1/340] a", "[12/340] b", "done with b"], "12/340"],
  ["a counter in words", ["Test 3 of 40: adds"], "3/40"],
  ["pytest", ["tests/test_a.py ...... [ 37%]"], "37%"],
  ["a percentage with a space", ["Downloading 45.5 %"], "45.5%"],
  ["TAP", ["ok 11 - a", "not ok 12 - b", "  ---"], "12 done"],
  ["TAP with its plan", ["1..340", "ok 12 - b"], "12/340"],
  ["what mocha, jest and cargo sum up", ["test result: ok. 12 passed; 0 failed"], "12 passed"],
  ["the last of two", ["10%", "20%"], "20%"],
])("%s says how far it is", (_name, lines, mark) => {
  expect(progressMark(lines)).toBe(mark);
});

test.each([
  ["nothing", []],
  ["a date and a path", ["2026/11/17 src/1/2.ts", "v1/2"]],
  ["a version", ["node 20.1/20.2"]],
  ["more than the whole", ["240/12", "140%"]],
  ["a word that ends like TAP", ["book 12 ok"]],
])("%s is no progress", (_name, lines) => {
  expect(progressMark(lines)).toBeUndefined();
});
