import { expect, test } from "vitest";
import { concludePlanning } from "../../../../src/cli/commands/plan-end.ts";
import type { OpenedPlanning } from "../../../../src/planning/open-planning.ts";
import type { PlanningEnd } from "../../../../src/planning/planning-session.ts";
import { recordedIo } from "../../../rig/io.ts";

function concluded(end: PlanningEnd) {
  const { io, out, err } = recordedIo();
  const opened = { plan: "work", folder: "/state/p", state: { revises: null } } as OpenedPlanning;
  return { code: concludePlanning(io, { opened, end, tell: io.out }), out, err };
}

test.each([
  [{ kind: "budget", detail: "" }, 5],
  [{ kind: "limit", until: null, detail: "" }, 75],
  [{ kind: "overloaded", detail: "" }, 75],
  [{ kind: "crashed", detail: "" }, 3],
  [null, 3],
] as const)("a planning session that failed with %j ends with %i and says how to resume it", (outcome, code) => {
  expect(concluded({ kind: "failed", why: "no draft", outcome })).toEqual({
    code,
    out: [],
    err: ["stint: no plan: no draft.\nEverything so far is in /state/p. Resume: `stint plan --continue work`"],
  });
});

test("a reason that is a sentence gets no second full stop", () => {
  expect(concluded({ kind: "failed", why: "It failed!", outcome: null }).err[0]).toContain("no plan: It failed!\n");
});

test("a plan is handed over with what to type next; errors and open decisions need a person first", () => {
  const problem = { file: "plan.md", line: 1, message: "m" } as const;
  const paths = ["plans/work/plan.md"];
  expect(concluded({ kind: "handed-over", paths, problems: [] })).toEqual({
    code: 0,
    out: ["The plan is in plans/work (not committed).", "Read and approve it: `stint approve work`"],
    err: [],
  });
  const open = concluded({
    kind: "handed-over",
    paths,
    problems: [{ ...problem, severity: "warning", source: "open" }],
  });
  expect([open.code, open.err.at(-1)]).toEqual([
    3,
    "stint: 1 decision left open that only you can make. Give it an answer in plans/work/plan.md. Then: `stint approve work`",
  ]);
  const wrong = concluded({
    kind: "handed-over",
    paths,
    problems: [{ ...problem, severity: "error", source: "lint" }],
  });
  expect([wrong.code, wrong.err[0]]).toEqual([3, "  plan.md:1: error: m"]);
  expect(wrong.err.at(-1)).toContain("stint: 1 error left in the plan. Fix it, or let the planner do it");
});
