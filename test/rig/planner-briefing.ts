import type { PlanningEvent, PlanningPhase } from "../../src/planning/machine/events.ts";
import { foldPlanning } from "../../src/planning/machine/evolve.ts";
import { defaultPrompts } from "../../src/prompts/overrides.ts";
import type { PlannerBriefing } from "../../src/planning/prompts/planner.ts";

/** A planning session whose draft has `count` of everything that there can be many of: inputs, tasks and what is wrong with them. */
export function plannerBriefing(phase: PlanningPhase, count: number): PlannerBriefing {
  const names = Array.from({ length: count }, (_, at) => String(at).padStart(4, "0"));
  const inputs = names.map((name) => `inputs/${name}.md`);
  const state = foldPlanning(eventsOf(names, inputs))!;
  const long = Buffer.from(names.join("\n"));
  return {
    phase,
    state,
    prompts: defaultPrompts,
    map: names.map((name) => `src/${name}.ts`).join("\n"),
    project: names.join(" "),
    rules: names.join(" "),
    inputs: new Map(inputs.map((name) => [name, long])),
    draft: new Map([["plan.md", long], ...names.map((name) => [`tasks/${name}.md`, long] as const)]),
    revision: null,
  };
}

function eventsOf(names: readonly string[], inputs: readonly string[]): PlanningEvent[] {
  const started = { planning: "p-1", plan: "p", goal: "Greet people", base: "b", headless: true, revises: null };
  const process = { pid: 1, startTime: "1", bootId: "b" };
  const ended = {
    ...({ type: "session-ended", outcome: { kind: "ok" }, durationMs: 1, questions: [], hasScope: false } as const),
    usage: { inputTokens: 0, outputTokens: 0, usd: 0, unpricedTokens: 0 },
    problems: [],
    dirty: [],
  };
  const problems = names.map((name) => ({
    ...({ severity: "error", source: "lint", file: `tasks/${name}.md`, line: 1, message: "is wrong" } as const),
  }));
  const findings = names.map((name) => ({
    ...({
      severity: "major",
      file: `tasks/${name}.md`,
      line: null,
      title: "It is wrong",
      why: "It is.",
      fix: "",
    } as const),
  }));
  return [
    { type: "planning-started", ...started, inputs },
    { type: "session-started", phase: "draft", session: 1, process, marker: "" },
    { ...ended, phase: "draft", session: 1, hasDraft: true, findings: null },
    { type: "draft-assessed", session: 1, problems },
    { type: "session-started", phase: "critique", session: 2, process, marker: "" },
    { ...ended, phase: "critique", session: 2, hasDraft: false, findings },
    { type: "draft-judged", word: "revise", words: names.join(" ") },
  ];
}
