import { expect, test } from "vitest";
import { createTicker } from "../../../../src/cli/dialog/ticker.ts";
import { draftLines, type DraftShown } from "../../../../src/cli/approval-page/draft.ts";
import { columnsOf, lay } from "../../../../src/cli/text-layout.ts";
import { revisionItems } from "../../../../src/cli/approval-page/task-changes.ts";
import { plain } from "../../../../src/cli/paint.ts";
import { planningTeller } from "../../../../src/cli/render-planning.ts";
import type { Terminal } from "../../../../src/cli/terminal.ts";
import type { AssessedDraft } from "../../../../src/planning/machine/assessment.ts";
import type { PlanningEvent } from "../../../../src/planning/machine/events.ts";
import { parsePlan } from "../../../../src/plan/parse.ts";
import { makes, plan } from "../../../rig/plan.ts";

const look = { width: 80, paint: plain, isUnicode: true };

test("What is left to mend, the critic's findings and proposed rules stand last, next to the question.", () => {
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

test("A revision is as long as what differs; a file that differs much is cut where a bound is given, and only there.", () => {
  const before = bytesOf({ "plan.md": "same\n", "tasks/01-a.md": "old\n", "tasks/02-b.md": "gone\n" });
  const long = Array.from({ length: 100 }, (_, at) => `line ${at}\n`).join("");
  const after = bytesOf({ "plan.md": "same\n", "tasks/01-a.md": "new\n", "tasks/03-c.md": long });
  const changes = [
    { id: "01-a", change: "changed" },
    { id: "03-c", change: "added" },
    { id: "02-b", change: "removed" },
  ] as const;

  const lines = lay(revisionItems({ plan: "work", changes, before, after }, { linesMax: 5 }), look);

  expect(lines.slice(0, 16)).toEqual([
    "Revision of plan work: 1 task added, 1 task changed, 1 task removed",
    "  ~ 01-a changed",
    "  + 03-c added",
    "  - 02-b removed",
    "",
    "tasks/01-a.md",
    "  @@ -1,1 +1,1 @@",
    "  -old",
    "  +new",
    "",
    "tasks/03-c.md",
    "  @@ -0,0 +1,100 @@",
    "  +line 0",
    "  +line 1",
    "  +line 2",
    "  +line 3",
  ]);
  expect(lines).toContain("  (96 more lines of tasks/03-c.md)");
  expect(lines).toContain("tasks/02-b.md (removed)");
  expect(lines.join("\n")).not.toContain("plan.md");
  expect(lay(revisionItems({ plan: "work", changes, before, after }, { linesMax: 101 }), look)).toContain("  +line 99");
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

test("Whatever happens in a planning is told within 80 columns, with what it cost so far and what went back.", () => {
  const tell = planningTeller(look, () => "mine");
  const usage = { inputTokens: 1_000, outputTokens: 10, usd: 0.25, unpricedTokens: 0 };
  const left = {
    questions: [],
    hasScope: false,
    hasDraft: true,
    findings: null,
    problems: ["tasks/A.md: no name of a task ".repeat(5)],
  };
  const draft = {
    phase: "draft",
    session: 1,
    outcome: { kind: "ok" },
    usage,
    durationMs: 90_000,
    dirty: ["src/x.ts"],
    ...left,
  } as const;
  const problem = {
    severity: "error",
    source: "lint",
    file: "plan.md",
    line: 1,
    message: "a long story, ".repeat(20),
  } as const;
  const process = { pid: 1, startTime: "", bootId: "" };
  const events: PlanningEvent[] = [
    { type: "session-ended", ...draft },
    { type: "draft-assessed", session: 1, problems: [problem] },
    { type: "session-started", phase: "draft", session: 2, process, marker: "" },
    { type: "session-ended", ...draft, session: 2, outcome: { kind: "crashed", detail: "exit 1" } },
    { type: "planning-ended", why: "failed", words: "x".repeat(200) },
  ];

  const lines = events.flatMap((event) => tell({ ...event, at: "2026-11-16T12:00:00.000Z" }));

  expect(lines.filter((line) => columnsOf(line) > 80)).toEqual([]);
  const text = lines.join("\n");
  expect(text).toMatch(/draft: produced a draft; after 2m; so far 0\.25 USD/);
  expect(text).toContain("the planner changed src/x.ts in its clone; the changes were discarded");
  expect(text).toContain("draft: planner (mine) started, session 2, with 1 error to fix");
  expect(text).toMatch(/draft: crashed \(exit 1\); after 2m; so far 0\.50 USD/);
});

test("The line at the foot of a terminal gives way to every other line, and to a question.", () => {
  let screen = "";
  const terminal = {
    write: (text: string) => (screen += text),
    flush: () => undefined,
    size: () => ({ columns: 20, rows: 10 }),
  } as unknown as Terminal;
  const ticker = createTicker({ terminal, paint: plain });

  ticker.above(() => (screen += "first\n"));
  ticker.set("draft: the planner works");
  ticker.above(() => (screen += "second\n"));
  ticker.set(null);
  ticker.above(() => (screen += "third\n"));

  const wipe = "\r\u{1b}[2K";
  expect(screen).toBe(`first\n${wipe}second\n${wipe}draft: the planner ${wipe}third\n`);
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
