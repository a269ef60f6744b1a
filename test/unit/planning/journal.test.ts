import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPlanningJournal } from "../../../src/planning/journal.ts";

test("Where the journal of a planning session cannot be opened, the message says so.", () => {
  const folder = mkdtempSync(join(tmpdir(), "stint-"));
  mkdirSync(join(folder, "journal.jsonl"));

  const opened = openPlanningJournal(join(folder, "journal.jsonl"));

  expect(opened).toMatchObject({
    ok: false,
    failure: { message: expect.stringMatching(/cannot be opened: .* Fix that, then try again\.$/) as string },
  });
  rmSync(folder, { recursive: true });
});
