import { expect, test } from "vitest";
import { runningText } from "../../../src/cli/render-running.ts";

const running = { name: "npm test", ms: 70_000, line: "adds two numbers", mark: null };

test("what runs has its name, its clock, how far it is and what it printed last", () => {
  expect(runningText(running)).toBe("npm test, 1:10, last: adds two numbers");
  expect(runningText({ ...running, mark: "12/340" })).toBe("npm test, 1:10, 12/340, last: adds two numbers");
  expect(runningText({ ...running, line: "", ms: 0 })).toBe("npm test, 0:00");
});

test("a mark that the last line has already is not repeated", () => {
  expect(runningText({ ...running, mark: "37%", line: "a.py .. [ 37%]" })).toBe("npm test, 1:10, last: a.py .. [ 37%]");
});

test("a command of several lines is one line, a long one is cut, and a terminal obeys none of it", () => {
  expect(runningText({ ...running, name: "npm ci\nnpm test\n", line: "" })).toBe("npm ci ⏎ npm test, 1:10");
  expect(runningText({ ...running, name: "x".repeat(200), line: "\u{1b}[2J" })).toBe(
    `${"x".repeat(40)}…, 1:10, last: \\u{1b}[2J`,
  );
});

test("what it runs for is said in full, and takes nothing from its name", () => {
  const about = `baseline ${"x".repeat(50)}`;
  expect(runningText({ ...running, about, line: "" })).toBe(`${about}: npm test, 1:10`);
});

test("in a narrow terminal the end of the name gives way to the clock, whatever it runs for", () => {
  const narrow = { ...running, about: "verifying 01-a", name: "npm run test:all", line: "" };
  expect(runningText(narrow, 40)).toBe("verifying 01-a: npm …, 1:10");
  expect(runningText(narrow, 80)).toBe("verifying 01-a: npm run test:all, 1:10");
});
