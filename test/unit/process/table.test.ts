import { expect, test } from "vitest";
import { readProcessStat, readProcessTable, recentProcessTable, parseStat } from "../../../src/process/table.ts";

test("a table that is young enough is read once for all who ask; an older one is read again", () => {
  const first = recentProcessTable(0);
  expect(recentProcessTable(Infinity)).toBe(first);
  const second = recentProcessTable(0);
  expect(second).not.toBe(first);
  expect(recentProcessTable(Infinity)).toBe(second);
  expect(second.map(({ pid }) => pid)).toContain(process.pid);
});

test("one process reads like its line of the table, and one that does not exist like none", () => {
  const own = readProcessTable().find(({ pid }) => pid === process.pid);
  expect(readProcessStat(process.pid)).toMatchObject({
    pid: process.pid,
    parent: process.ppid,
    startTime: own?.startTime,
  });
  expect(readProcessStat(2 ** 30)).toBeUndefined();
});

test("a program name with spaces and parentheses does not shift the fields", () => {
  const fields = "S 7 8 9 0 -1 4194560 1 2 3 4 10 20 30 40 20 0 6 0 987654 1 3 3";
  expect(parseStat(5, `5 (a) R (b c) ${fields}\n`)).toEqual({
    pid: 5,
    state: "S",
    parent: 7,
    group: 8,
    session: 9,
    cpuTicks: 100,
    startTime: "987654",
    threads: 6,
    residentBytes: 3 * 4096,
  });
});
