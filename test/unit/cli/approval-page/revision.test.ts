import { expect, test } from "vitest";
import { renderRevision, revisionPage } from "../../../../src/cli/approval-page/revision.ts";
import { plain } from "../../../../src/cli/paint.ts";
import { parsePlan } from "../../../../src/plan/parse.ts";
import { makes, plan } from "../../../rig/plan.ts";

test("a revision says why it was needed, and shows what new and changed tasks may run last, next to the question", () => {
  const files = plan({ tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") }, checks: ["npm run build"] });
  const documents = new Map(Object.entries(files).map(([path, text]) => [path, { bytes: Buffer.from(text) }]));
  const proposal = {
    plan: "work",
    run: "r1",
    name: "work#1",
    revision: 2,
    commit: "c",
    hash: "h",
    asked: [{ task: "01-a", why: "no such API" }],
    changes: [
      { id: "02-b", change: "added", title: "Do b" },
      { id: "00-old", change: "removed", title: "Do it the old way" },
    ],
    unchanged: 1,
    difference: ["-old", "+new"],
    problems: [{ severity: "warning", source: "lint", file: "plan.md", line: 2, message: "no edge cases" }],
  } as const;

  const page = revisionPage(proposal, parsePlan(documents, "work").plan!);
  const lines = renderRevision(page, { width: 80, paint: plain, isUnicode: true });

  expect(page.tasks.map(({ id }) => id)).toEqual(["02-b"]);
  expect(lines.slice(0, 14)).toEqual([
    "Revision 2 of plan work, proposed for run work#1",
    "",
    "Could not be done as planned:",
    "  01-a: no such API",
    "",
    "Tasks:",
    "  + 02-b added: Do b",
    "  - 00-old removed: Do it the old way",
    "  1 unchanged; finished work stays as it is",
    "",
    "All changed lines:",
    "-old",
    "+new",
    "",
  ]);
  expect(lines.slice(-6)).toEqual([
    "On the final tip:",
    "  runs: npm run build",
    "",
    "Remaining problems:",
    "  plan.md:2: warning: no edge cases",
    "",
  ]);
});
