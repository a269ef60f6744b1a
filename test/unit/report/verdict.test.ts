import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Entry } from "../../../src/report/model.ts";
import { renderMarkdown } from "../../../src/report/render-markdown.ts";
import { renderTimeline } from "../../../src/report/render-timeline.ts";
import { reportOf } from "../../../src/report/report-of.ts";
import { factsOf } from "../../rig/report.ts";

const folder = "test/fixtures/journals-2026-11-16";

function entriesOf(file: string): Entry[] {
  const lines = readFileSync(join(folder, file), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Entry);
}

/** The first paragraph of each, as its run stood. */
const verdicts: Record<string, string> = {
  "by-hand.jsonl": "Both tasks are verified on stint/work. The final checks passed. 40 s, cost not reported.",
  "commands.jsonl": "The task is verified on stint/work. The final checks passed. 24 s, cost not reported.",
  "deferred.jsonl": "Both tasks are verified on stint/work. The final checks passed. 20 s, cost not reported.",
  "judge.jsonl": "The task is verified on stint/work. The final checks passed. 16 s, 0.75 USD.",
  "pausing.jsonl": "1 of 2 tasks is verified on stint/work; 1 has not started. 1.4 s, cost not reported.",
  "push.jsonl": "Both tasks are verified on stint/work. The final checks passed. 25 s, cost not reported.",
  "question.jsonl": "The task is verified on stint/work. The final checks passed. 37 s, cost not reported.",
  "replan.jsonl":
    "All 3 tasks are verified on stint/p. The final checks passed. 6 m 22 s, 0.78 USD of 50.00, plus 3.8k unpriced tokens.",
  "requeued.jsonl": "The task is not done yet; 1 has not started. Not running (interrupted). 25 s, cost not reported.",
  "scope.jsonl": "Both tasks are verified on stint/work. The final checks passed. 16 s, cost not reported.",
  "work-lost.jsonl": "Both tasks are verified on stint/work. The final checks passed. 22 s, cost not reported.",
};

test("Every journal of earlier releases makes a report, each with the verdict of how its run stood.", () => {
  const told = Object.fromEntries(
    readdirSync(folder).map((file) => {
      const entries = entriesOf(file);
      const report = reportOf(entries, factsOf(entries));
      expect(renderMarkdown(report)).toContain("## Commands");
      expect(renderTimeline(report)).toContain("</svg>");
      return [file, report.verdict];
    }),
  );
  expect(told).toEqual(verdicts);
});
