import { describe, expect, test } from "vitest";
import { agents } from "./mistakes/agents.ts";
import { files } from "./mistakes/files.ts";
import { places } from "./mistakes/places.ts";
import { expectMistake } from "./mistakes/row.ts";
import { typing } from "./mistakes/typing.ts";

const tables = { typing, places, files, agents };

test("The table has at least sixty mistakes, each once, with a cure for each that is refused; its plan has no problems.", async () => {
  const rows = Object.values(tables).flat();
  expect(rows.length).toBeGreaterThanOrEqual(60);
  expect(new Set(rows.map(({ mistake }) => mistake)).size).toBe(rows.length);
  expect(rows.filter(({ code, cure }) => code !== 0 && cure === undefined)).toEqual([]);
  await expectMistake({ mistake: "none", typed: "stint lint", code: 0, says: ["no problems found"] });
});

test.each([
  ["a file of the user's changes", "echo x >>README.md"],
  ["a branch moves", "git branch other"],
  ["a lock is left", ": >.git/index.lock"],
  ["an error code is printed", "echo 'stint: EACCES'"],
  ["two messages are printed", "echo 'stint: no'; echo 'stint: really no'"],
  ["the exit code is another", "exit 1"],
])("A row fails where %s, and not for one message.", async (_, typed) => {
  const row = { mistake: "none", typed, code: 0, says: [], cure: "true" };
  await expect(expectMistake(row)).rejects.toThrow();
  await expectMistake({ ...row, typed: "echo 'stint: no'" });
});

describe.concurrent.each(Object.entries(tables))("%s", (_, rows) => {
  for (const row of rows) {
    test.skipIf(row.needs === false)(row.mistake, async () => expectMistake(row));
  }
});
