import { expect, test } from "vitest";
import { readProcessStat, readProcessTable, recentProcessTable } from "../../../src/process/table.ts";

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
