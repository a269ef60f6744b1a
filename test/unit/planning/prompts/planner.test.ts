import { expect, test } from "vitest";
import { planningLimits } from "../../../../src/planning/limits.ts";
import type { PlanningEvent, PlanningPhase } from "../../../../src/planning/machine/events.ts";
import { foldPlanning } from "../../../../src/planning/machine/evolve.ts";
import type { PlanningState } from "../../../../src/planning/machine/state.ts";
import { defaultPrompts } from "../../../../src/prompts/overrides.ts";
import { plannerInbox, plannerPrompt, type PlannerBriefing } from "../../../../src/planning/prompts/planner.ts";
import { plannerBriefing } from "../../../rig/planner-briefing.ts";

const phases: readonly PlanningPhase[] = ["interview", "gaps", "draft", "critique"];

function briefing(
  phase: PlanningPhase,
  more: Partial<PlannerBriefing> = {},
  change: Partial<PlanningState> = {},
): PlannerBriefing {
  const started: PlanningEvent = {
    type: "planning-started",
    planning: "20261116-100000-work-abcd",
    plan: "work",
    goal: "Add a login page",
    base: "0".repeat(40),
    inputs: [],
    headless: true,
    revises: null,
  };
  const state = { ...(foldPlanning([started]) as PlanningState), ...change };
  const none = { inputs: new Map(), draft: new Map(), revision: null };
  return { phase, state, prompts: defaultPrompts, map: "# Map", project: "# Project", rules: "", ...none, ...more };
}

test.each(phases)("the prompt of %s says the goal, what is kept of it, and what is in the inbox", (phase) => {
  const prompt = plannerPrompt(briefing(phase));
  expect(prompt).toContain("# The goal\n\nAdd a login page\n");
  expect(prompt).toContain("nothing you change in the working directory is kept");
  expect(prompt).toContain("- map.md: ");
  expect(prompt).not.toContain("{{");
  expect(prompt).not.toContain("# A plan to revise");
  expect(prompt).not.toContain("# Why another draft is needed");
});

test.each(phases)("the prompt of %s stays short whatever the size of inputs, map and draft", (phase) => {
  const large = Buffer.alloc(1_000_000, "x");
  const inputs = new Map(Array.from({ length: 500 }, (_, at) => [`inputs/${at}.md`, large] as const));
  const draft = new Map(Array.from({ length: 500 }, (_, at) => [`tasks/${at}.md`, large] as const));
  const full = briefing(phase, { inputs, draft, map: "x".repeat(1_000_000), rules: "r".repeat(1_000_000) });
  expect(plannerPrompt(full).length).toBeLessThan(
    plannerPrompt(briefing(phase)).length + 200 * planningLimits.inputsNamedMax,
  );
  expect(plannerInbox(full).size).toBeGreaterThan(1_000);
});

test("the next draft gets errors, findings and a person's words in its inbox", () => {
  const problem = { severity: "error", source: "lint", file: "plan.md", line: 4, message: "no goal" } as const;
  const draft = { session: 1, problems: [problem], corrections: 0, stale: true };
  const findings = [{ severity: "major", file: "plan.md", line: 2, title: "t", why: "w", fix: "f" } as const];
  const again = briefing(
    "draft",
    { draft: new Map([["plan.md", Buffer.from("p")]]) },
    { draft, findings, words: "smaller" },
  );
  const prompt = plannerPrompt(again);
  for (const pointer of ["words.md", "findings.md", "problems.md", "draft"]) expect(prompt).toContain(pointer);
  const inbox = plannerInbox(again);
  const text = (name: string) => Buffer.from(inbox.get(name) ?? []).toString();
  expect(text("problems.md")).toBe("- plan.md:4: error: no goal");
  expect(text("findings.md")).toBe("## major: t\n\nplan.md:2\n\nw\n\nHow to fix it: f");
  expect([text("words.md"), text("draft/plan.md")]).toEqual(["smaller", "p"]);
  expect(text("format.md")).toContain("## Tasks");
});

test("a critic gets the draft and no remarks about an earlier one", () => {
  const problem = { severity: "warning", source: "lint", file: "plan.md", line: 4, message: "x" } as const;
  const draft = { session: 1, problems: [problem], corrections: 0, stale: false };
  const critic = briefing("critique", { draft: new Map([["plan.md", Buffer.from("p")]]) }, { draft, words: "smaller" });
  expect([...plannerInbox(critic).keys()]).toEqual(["map.md", "project.md", "draft/plan.md"]);
});

test("a planner that revises a plan learns where it is, what is done and what was tried", () => {
  const revision = { plan: new Map([["plan.md", Buffer.from("p")]]), done: "- a", evidence: "- b: failed" };
  const revises = { run: null, words: "split b" };
  const prompt = plannerPrompt(briefing("draft", { revision }, { revises }));
  expect(prompt).toContain("# A plan to revise");
  expect(prompt).toContain("split b");
  expect([...plannerInbox(briefing("draft", { revision }, { revises })).keys()]).toEqual(
    expect.arrayContaining(["plan/plan.md", "done.md", "evidence.md"]),
  );
});

test("the answers are in the prompt, with who gave them", () => {
  const inquiry = (id: string) => ({ id, question: `${id}?`, options: [], recommend: null });
  const answer = (id: string, text: string, assumed: boolean) => [id, { id, answer: text, assumed }] as const;
  const answers = new Map([answer("a", "yes", false), answer("b", "no", true), answer("c", "", true)]);
  const prompt = plannerPrompt(briefing("draft", {}, { inquiries: ["a", "b", "c"].map(inquiry), answers }));
  expect(prompt).toContain("- a: a?\n  yes\n- b: b?\n  no (assumed: the person was not asked)\n- c: c?\n  left open");
});

/** Two numbers have more digits, and a few words say that there are more inputs than named. */
const slack = 60;

test.each(phases)(
  "The prompt of the phase %s is as long with a thousand inputs, tasks and faults as with the few that it names.",
  (phase) => {
    const [few, many] = [planningLimits.inputsNamedMax, 1_000].map((count) => plannerBriefing(phase, count)) as [
      ReturnType<typeof plannerBriefing>,
      ReturnType<typeof plannerBriefing>,
    ];
    const more = Buffer.byteLength(plannerPrompt(many)) - Buffer.byteLength(plannerPrompt(few));
    expect(more).toBeLessThan(slack);
    // The control: all of it is in the inbox.
    expect(plannerInbox(many).size).toBeGreaterThanOrEqual(2_000);
    expect(plannerInbox(many).size - plannerInbox(few).size).toBe(2 * (1_000 - planningLimits.inputsNamedMax));
  },
);
