import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Entry } from "../../../src/report/model.ts";
import { renderMarkdown } from "../../../src/report/render-markdown.ts";
import { reportOf } from "../../../src/report/report-of.ts";
import { factsOf } from "../../rig/report.ts";

const folder = "test/fixtures/journals-2026-11-16";

function entriesOf(file: string): Entry[] {
  const lines = readFileSync(join(folder, file), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Entry);
}

/** Reports of journals that end before their run did: what a run with failed attempts waits for, and what a kill left behind. */
test.each([
  ["replan.jsonl", 41, "test/fixtures/report-proposal.md"],
  ["work-lost.jsonl", 17, "test/fixtures/report-killed.md"],
])("A whole report of %s after %i events.", async (file, count, expected) => {
  const entries = entriesOf(file).slice(0, count);
  const report = renderMarkdown(reportOf(entries, factsOf(entries)));
  await expect(report).toMatchFileSnapshot(join(process.cwd(), expected));
});

test("Whoever makes the report, and however often, it says the same; a part of the journal gives what was known then.", () => {
  const entries = entriesOf("by-hand.jsonl");
  expect(reportOf(entries, factsOf(entries))).toEqual(reportOf(entries, factsOf(entries)));
  for (let count = 2; count <= entries.length; count += 1) {
    const report = reportOf(entries.slice(0, count), factsOf(entries));
    expect(renderMarkdown(report)).toContain(report.run);
    for (const { attempts } of report.tasks)
      for (const { durationMs } of attempts) expect(durationMs).toBeGreaterThanOrEqual(0);
  }
});
