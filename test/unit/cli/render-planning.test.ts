import { expect, test } from "vitest";
import { columnsOf } from "../../../src/cli/text-layout.ts";
import { noSpending } from "../../../src/engine/spending.ts";
import { plain } from "../../../src/cli/paint.ts";
import { planningTeller } from "../../../src/cli/render-planning.ts";
import type { PlanningEvent } from "../../../src/planning/machine/events.ts";

const look = { width: 80, paint: plain, isUnicode: true };

test("Whatever happens in a planning session is printed within 80 columns, with what it cost so far, in earlier processes too, and what went back.", () => {
  const tell = planningTeller(look, { agentOf: () => "mine", before: { ...noSpending, usd: 1 } });
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
  expect(text).toMatch(/draft: produced a draft; after 2m; so far 1\.25 USD/);
  expect(text).toContain("the planner changed src/x.ts in its clone; the changes were discarded");
  expect(text).toContain("draft: planner (mine) started, session 2, with 1 error to fix");
  expect(text).toMatch(/draft: crashed \(exit 1\); after 2m; so far 1\.50 USD/);
});
