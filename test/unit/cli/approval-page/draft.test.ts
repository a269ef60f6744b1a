import { expect, test } from "vitest";
import { draftLines, type DraftShown } from "../../../../src/cli/approval-page/draft.ts";
import { plain } from "../../../../src/cli/paint.ts";
import type { AssessedDraft } from "../../../../src/planning/machine/assessment.ts";
import { parsePlan } from "../../../../src/plan/parse.ts";
import { makes, plan } from "../../../rig/plan.ts";

const look = { width: 80, paint: plain, isUnicode: true };

test("Proposed rules, the critic's findings and what is left to fix come last, next to the question.", () => {
  const problems: AssessedDraft["problems"] = [
    { severity: "error", source: "check", file: "tasks/01-a.md", line: 9, message: "green on the base" },
    { severity: "warning", source: "lint", file: "plan.md", line: 2, message: "no edge cases" },
  ];
  const findings = [
    { severity: "major", file: "tasks/01-a.md", line: null, title: "Too big", why: "It is.", fix: "" },
  ] as const;
  const rules = Buffer.from("---\nprotect: [legacy]\n---\nBe careful.\n");

  const lines = draftLines(shown({ problems, rules }, { findings }), look);

  expect(lines.slice(lines.indexOf("Proposed for .stint/rules.md, not in effect:"))).toEqual([
    "Proposed for .stint/rules.md, not in effect:",
    "  @@ -1,1 +1,4 @@",
    "  +---",
    "  +protect: [legacy]",
    "  +---",
    "   Be careful.",
    "",
    "Critique:",
    "  major: tasks/01-a.md: Too big",
    "    why: It is.",
    "",
    "Left to fix:",
    "  tasks/01-a.md:9: error: green on the base",
    "  plan.md:2: warning: no edge cases",
    "",
    "1 task in 1 wave; critical path 01-a, 15m in all",
  ]);
});

test("Checks that were not asked are shown as they are written, and a missing critique is said.", () => {
  const lines = draftLines(shown({}), look);

  expect(lines).toContain("  runs: grep -q ready a.txt");
  expect(lines).toContain("Critique: none.");
});

test("A draft that cannot be read says where it lies.", () => {
  const lines = draftLines(shown({ plan: undefined }), look);

  expect(lines).toContain("The draft of work cannot be read as a plan. It is in /state/draft.");
});

test("A revision shows all that its tasks may touch and run, and what runs at the end, however much of its files is cut.", () => {
  const long = "A line.\n".repeat(200);
  const files = plan({
    tasks: { "01-a": makes("a.txt", { goal: long, checks: ["grep -q ready a.txt", "true at last"] }) },
    checks: ["true on the tip"],
  });
  const documents = bytesOf(files);
  const read = parsePlan(new Map([...documents].map(([path, bytes]) => [path, { bytes }] as const)), "work");
  const changes = [{ id: "01-a", change: "changed" }] as const;

  const lines = draftLines(shown({ documents, plan: read.plan, changes }, { revises: new Map() }), look);

  expect(lines.join("\n")).toContain("more lines of tasks/01-a.md)");
  expect(lines).toContain("  may create: a.txt");
  expect(lines).toContain("  runs: true at last");
  expect(lines.join("\n")).toContain("On the final tip:\n  runs: true on the tip");
});

function shown(assessed: Partial<AssessedDraft>, more: Partial<DraftShown> = {}): DraftShown {
  const files = plan({ tasks: { "01-a": makes("a.txt") } });
  const documents = bytesOf(files);
  const read = parsePlan(new Map([...documents].map(([path, bytes]) => [path, { bytes }] as const)), "work");
  const whole = {
    documents,
    rules: null,
    plan: read.plan,
    problems: [],
    checked: [],
    changes: [],
    against: null,
    ...assessed,
  };
  const around = { plan: "work", folder: "/state/draft", findings: null, revises: null, isLast: false };
  return { ...around, rules: "Be careful.\n", setupPlace: ".stint/config.yaml:1", ...more, assessed: whole };
}

function bytesOf(files: Readonly<Record<string, string>>): Map<string, Uint8Array> {
  return new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
}
