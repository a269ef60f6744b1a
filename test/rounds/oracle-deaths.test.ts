import { expect, test } from "vitest";
import { inspectLeftovers } from "./leftovers.ts";
import { inspectDeaths, type Death } from "./oracle-deaths.ts";

const file = "journal";
const lines = [
  '{"seq":1,"type":"run-started"}',
  '{"seq":2,"type":"agent-started","task":"a"}',
  '{"seq":3,"type":"resumed"}',
  '{"seq":4,"type":"agent-started","task":"a"}',
];

test("A death after which everything is still there, and nothing done twice, is found harmless.", () => {
  expect(inspectDeaths([death(0), death(2), death(4, ["a"])], ended(lines))).toEqual([]);
});

test("An event that was seen and is gone, or reads otherwise, is found.", () => {
  expect(inspectDeaths([death(3)], ended(lines.slice(0, 2)))).toEqual([
    "death 1: event 3 was seen before it and is gone or changed",
  ]);
  expect(inspectDeaths([death(1), death(3)], ended(lines.with(1, '{"seq":2,"type":"other"}')))).toEqual([
    "death 2: event 2 was seen before it and is gone or changed",
  ]);
});

test("A session of a task whose commit was on the branch is found.", () => {
  expect(inspectDeaths([death(3, ["a"])], ended(lines))).toEqual([
    "death 1: a was on the branch and got another session",
  ]);
});

test("A run that was given up for another one is found, unless it had not begun.", () => {
  expect(inspectDeaths([{ ...death(2), file: "other" }], ended(lines))).toEqual([
    "the run of death 1 was given up for another one",
  ]);
  expect(
    inspectDeaths(
      [
        { ...death(0), file: "other" },
        { ...death(0), file: undefined },
      ],
      ended(lines),
    ),
  ).toEqual([]);
});

test("A room that nobody swept, and files that grow with every start, are found; what a death can leave is not.", () => {
  const left = ["tmp/stint-1", ".git/a.lock"];
  expect(inspectLeftovers(left, 1)).toEqual([]);
  expect(inspectLeftovers(left, 0)).toEqual(["0 deaths left 2 files: tmp/stint-1, .git/a.lock"]);
  expect(inspectLeftovers(["state/stint/r/rooms/1"], 1)).toEqual(["state/stint/r/rooms/1 was left behind"]);
});

function death(count: number, landed: readonly string[] = []): Death {
  return { file, text: textOf(lines.slice(0, count)), landed };
}

function ended(left: readonly string[]): { readonly file: string; readonly text: string } {
  return { file, text: textOf(left) };
}

function textOf(some: readonly string[]): string {
  return some.map((line) => `${line}\n`).join("");
}
