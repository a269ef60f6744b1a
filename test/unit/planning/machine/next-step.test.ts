import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Outcome } from "../../../../src/engine/session.ts";
import { planningLimits } from "../../../../src/planning/limits.ts";
import type { DraftWord, PlanningEvent } from "../../../../src/planning/machine/events.ts";
import type { Finding } from "../../../../src/planning/machine/session-output.ts";
import { nextStep, type Step } from "../../../../src/planning/machine/next-step.ts";
import { unreachable } from "../../../../src/base/result.ts";
import { evolvePlanning, foldPlanning } from "../../../../src/planning/machine/evolve.ts";
import { openQuestions, type PlanningState } from "../../../../src/planning/machine/state.ts";
import { after, assessed, begun, drafted, error, grave, inquiry, session } from "../../../rig/planning-events.ts";

test("a planning session maps, interviews, looks for gaps, drafts, assesses, lets a reviewer criticise and hands over", () => {
  const events: PlanningEvent[] = [];
  const steps: string[] = [];
  const say = (step: Step) => (step.type === "session" ? step.phase : step.type);
  const answers: Record<string, () => PlanningEvent[]> = {
    map: () => [{ type: "mapped", files: 1, symbols: 1, tokens: 1 }],
    interview: () => session("interview", 1, { questions: [inquiry("a")] }),
    assume: () => [{ type: "questions-answered", answers: [{ id: "a", answer: "yes", assumed: true }] }],
    gaps: () => session("gaps", 2, { hasScope: true }),
    draft: () => drafted(3),
    assess: () => [assessed(3)],
    critique: () => session("critique", 4, { findings: [] }),
    accept: () => [{ type: "draft-judged", word: "accept", words: "" }],
    "hand-over": () => [{ type: "handed-over", paths: ["plans/work/plan.md"] }],
  };
  for (let step = ""; step !== "end";) {
    step = say(nextStep(foldPlanning([begun, ...events]) as PlanningState));
    steps.push(step);
    events.push(...(answers[step]?.() ?? []));
  }
  const expected = "map interview assume gaps draft assess critique accept hand-over end";
  expect(steps.join(" ")).toBe(expected);
});

test("a draft that is left in the interview skips all that would come before it", () => {
  expect(nextStep(after(session("interview", 1, { hasDraft: true })))).toEqual({ type: "assess" });
});

test("errors go back to the planner a few times, then what remains is shown", () => {
  const events = drafted(1);
  for (let number = 1; number <= planningLimits.planningCorrectionsMax; number++) {
    events.push(assessed(number, error));
    expect(nextStep(after(events))).toEqual({ type: "session", phase: "draft" });
    events.push(...drafted(number + 1));
  }
  events.push(assessed(planningLimits.planningCorrectionsMax + 1, error));
  expect(nextStep(after(events))).toEqual({ type: "accept" });
  expect(nextStep(after(events, { headless: false }))).toEqual({ type: "review", isLast: false });
});

test("warnings alone send nothing back", () => {
  const events = [...drafted(1), assessed(1, { ...error, severity: "warning" })];
  expect(nextStep(after(events))).toEqual({ type: "session", phase: "critique" });
});

test("grave findings send the draft back once; minor ones do not", () => {
  const read = (severity: Finding["severity"]) => [
    ...drafted(1),
    assessed(1),
    ...session("critique", 2, { findings: [{ ...grave, severity }] }),
  ];
  expect(nextStep(after(read("minor")))).toEqual({ type: "accept" });
  expect(nextStep(after(read("major")))).toEqual({ type: "session", phase: "draft" });
  expect(nextStep(after([...read("critical"), ...drafted(3), assessed(3)]))).toEqual({ type: "accept" });
});

test("a critique that leaves no findings is retried, then a person reviews without one", () => {
  const first = [...drafted(1), assessed(1), ...session("critique", 2)];
  expect(nextStep(after(first))).toEqual({ type: "session", phase: "critique" });
  const second = after([...first, ...session("critique", 3)]);
  expect(nextStep(second)).toEqual({ type: "accept" });
  expect(second.findings).toBeNull();
});

test("a revision begins with the draft", () => {
  expect(nextStep(after([], { revises: { run: null, words: "split it" } }))).toEqual({
    type: "session",
    phase: "draft",
  });
});

const outcomes = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Outcome>({ kind: "ok" }) },
  { weight: 1, arbitrary: fc.constantFrom<Outcome>({ kind: "crashed", detail: "" }, { kind: "limit", until: null }) },
);
const inquiries = fc.array(
  fc.record({
    id: fc.constantFrom("a", "b", "c", "d"),
    question: fc.string(),
    options: fc.array(fc.string(), { maxLength: 3 }),
    recommend: fc.option(fc.string(), { nil: null }),
  }),
  { maxLength: 3 },
);
const ends = fc.record({
  outcome: outcomes,
  questions: inquiries,
  hasScope: fc.boolean(),
  hasDraft: fc.boolean(),
  findings: fc.option(fc.array(fc.constantFrom(grave, { ...grave, severity: "minor" as const }), { maxLength: 2 }), {
    nil: null,
  }),
});
const world = fc.record({
  headless: fc.boolean(),
  isRevision: fc.boolean(),
  ends: fc.infiniteStream(ends),
  problems: fc.infiniteStream(
    fc.array(fc.constantFrom(error, { ...error, severity: "warning" as const }), { maxLength: 2 }),
  ),
  words: fc.infiniteStream(fc.constantFrom<DraftWord>("accept", "revise", "edit", "reject")),
});

/** Plays a planning session against a world of any outcomes until it ends, and returns every step. */
function play(given: typeof world extends fc.Arbitrary<infer W> ? W : never) {
  let state = after([], {
    headless: given.headless,
    revises: given.isRevision ? { run: null, words: "otherwise" } : null,
  });
  const seen: { readonly step: Step; readonly state: PlanningState }[] = [];
  const stepsMax = 10 * planningLimits.planningSessionsMax;
  while (seen.length < stepsMax) {
    const step = nextStep(state);
    seen.push({ step, state });
    if (step.type === "end") return { seen, state };
    for (const event of happens(step, state, given)) state = evolvePlanning(state, event);
  }
  return { seen, state };
}

function happens(step: Step, state: PlanningState, given: Parameters<typeof play>[0]): PlanningEvent[] {
  const next = <T>(stream: fc.Stream<T>) => stream.next().value as T;
  switch (step.type) {
    case "session":
      return session(step.phase, state.sessions + 1, next(given.ends));
    case "ask":
      return [
        {
          type: "questions-answered",
          answers: step.questions.map(({ id }) => ({ id, answer: "mine", assumed: false })),
        },
      ];
    case "assume":
      return [{ type: "questions-answered", answers: step.answers }];
    case "assess":
      return [assessed(state.draft?.session ?? 0, ...next(given.problems))];
    case "review":
      return [{ type: "draft-judged", word: step.isLast ? "accept" : next(given.words), words: "words" }];
    case "accept":
      return [{ type: "draft-judged", word: "accept", words: "" }];
    case "hand-over":
      return [{ type: "handed-over", paths: [] }];
    case "map":
    case "settle":
    case "end":
      return [];
    default:
      return unreachable(step);
  }
}

test("where no session is left, the current draft can still be edited and accepted", () => {
  const sessions = Array.from({ length: planningLimits.planningSessionsMax }, (_, at) => drafted(at + 1)).flat();
  const last = planningLimits.planningSessionsMax;
  const revised: PlanningEvent = { type: "draft-judged", word: "revise", words: "Split it" };
  const edited: PlanningEvent = { type: "draft-judged", word: "edit", words: "+ a" };
  const events = [...sessions, assessed(last), revised];

  expect(nextStep(after(events, { headless: false }))).toEqual({ type: "review", isLast: true });
  expect(nextStep(after([...events, edited], { headless: false }))).toEqual({ type: "assess" });
  const accepted: PlanningEvent = { type: "draft-judged", word: "accept", words: "" };
  expect(nextStep(after([...events, edited, assessed(last), accepted]))).toEqual({ type: "hand-over" });
});

test("whatever sessions do and people say, a planning session ends within its bounds", () => {
  fc.assert(
    fc.property(world, (given) => {
      const { seen, state } = play(given);
      expect(seen.at(-1)?.step.type).toBe("end");
      expect(state.sessions).toBeLessThanOrEqual(planningLimits.planningSessionsMax);
    }),
  );
});

test("no question is asked twice, and all are answered before a plan is handed over", () => {
  fc.assert(
    fc.property(world, (given) => {
      const { seen } = play(given);
      const asked = seen.flatMap(({ step }) => (step.type === "ask" ? step.questions.map(({ id }) => id) : []));
      expect(asked).toEqual([...new Set(asked)]);
      for (const { step, state } of seen) if (step.type === "hand-over") expect(openQuestions(state)).toEqual([]);
    }),
  );
});

test("what is handed over was assessed and accepted, and a rejected planning session hands nothing over", () => {
  fc.assert(
    fc.property(world, (given) => {
      const { seen, state } = play(given);
      const last = seen.findLast(({ step }) => step.type === "hand-over");
      if (last !== undefined)
        expect([last.state.decision, last.state.draft?.problems]).toEqual(["accept", expect.any(Array)]);
      if (state.decision === "reject") expect(last).toBeUndefined();
    }),
  );
});

test("in a headless session, no person is asked or made to review", () => {
  fc.assert(
    fc.property(world, (given) => {
      const { seen } = play({ ...given, headless: true });
      expect(seen.filter(({ step }) => step.type === "ask" || step.type === "review")).toEqual([]);
    }),
  );
});
