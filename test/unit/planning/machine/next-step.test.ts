import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Outcome } from "../../../../src/engine/session.ts";
import { noSpending } from "../../../../src/engine/spending.ts";
import { planningLimits } from "../../../../src/planning/limits.ts";
import type { DraftProblem } from "../../../../src/planning/machine/assessment.ts";
import type { DraftWord, PlanningEvent, PlanningPhase } from "../../../../src/planning/machine/events.ts";
import type { Finding, Inquiry } from "../../../../src/planning/machine/session-output.ts";
import { nextStep, type Step } from "../../../../src/planning/machine/next-step.ts";
import { unreachable } from "../../../../src/base/result.ts";
import { evolvePlanning, foldPlanning } from "../../../../src/planning/machine/evolve.ts";
import { answeredQuestions, openQuestions, type PlanningState } from "../../../../src/planning/machine/state.ts";

type EndOf = Extract<PlanningEvent, { type: "session-ended" }>;

const begun: PlanningEvent = {
  type: "planning-started",
  planning: "20261116-100000-work-abcd",
  plan: "work",
  goal: "Show one behaviour",
  base: "0".repeat(40),
  inputs: [],
  headless: true,
  revises: null,
};
const process = { pid: 1, startTime: "1", bootId: "b" };
const error: DraftProblem = { severity: "error", source: "lint", file: "plan.md", line: 1, message: "no" };
const grave: Finding = { severity: "major", file: "plan.md", line: 1, title: "t", why: "w", fix: "" };
const inquiry = (id: string, recommend: string | null = "yes"): Inquiry => ({
  id,
  question: `${id}?`,
  options: ["yes", "no"],
  recommend,
});

/** The state after these, of a planning session that is mapped. */
function after(
  events: readonly PlanningEvent[],
  first: Partial<Extract<PlanningEvent, { type: "planning-started" }>> = {},
) {
  const mapped: PlanningEvent = { type: "mapped", files: 1, symbols: 1, tokens: 1 };
  return foldPlanning([{ ...begun, ...first } as PlanningEvent, mapped, ...events]) as PlanningState;
}

/** A session from its start to its end. */
function session(phase: PlanningPhase, number: number, end: Partial<EndOf> = {}): PlanningEvent[] {
  return [
    { type: "session-started", phase, session: number, process, marker: "m" },
    {
      type: "session-ended",
      phase,
      session: number,
      outcome: { kind: "ok" },
      usage: noSpending,
      durationMs: 1,
      questions: [],
      hasScope: false,
      hasDraft: false,
      findings: null,
      problems: [],
      dirty: [],
      ...end,
    },
  ];
}

const drafted = (number: number) => session("draft", number, { hasDraft: true });
const assessed = (number: number, ...problems: readonly DraftProblem[]): PlanningEvent => ({
  type: "draft-assessed",
  session: number,
  problems,
});

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

test("a session that crashes is retried; crashed twice in a row it halts until it is resumed", () => {
  const outcome = { kind: "crashed", detail: "exit 1" } as const;
  const once = session("interview", 1, { outcome });
  expect(nextStep(after(once))).toEqual({ type: "session", phase: "interview" });
  const twice = [...once, ...session("interview", 2, { outcome })];
  expect(nextStep(after(twice))).toEqual({ type: "end", end: { kind: "halted", why: "crashed: exit 1", outcome } });
  const goesOn: PlanningEvent = { type: "planning-continued", pid: 2, headless: true };
  expect(nextStep(after([...twice, goesOn]))).toEqual({ type: "session", phase: "interview" });
});

test.each<Outcome>([
  { kind: "limit", until: "2026-11-16T20:00:00.000Z" },
  { kind: "overloaded", detail: "busy" },
  { kind: "auth", detail: "log in" },
  { kind: "misconfigured", detail: "no such model" },
  { kind: "budget", detail: "the cap" },
])("$kind halts at once", (outcome) => {
  const step = nextStep(after(session("interview", 1, { outcome })));
  expect(step).toMatchObject({ type: "end", end: { kind: "halted", outcome } });
});

test("a draft session that leaves nothing has failed; one that only asks has not", () => {
  const before = [...session("interview", 1), ...session("gaps", 2)];
  const empty = after([...before, ...session("draft", 3), ...session("draft", 4)]);
  expect(nextStep(empty)).toMatchObject({ type: "end", end: { kind: "halted" } });
  const asks = after([...before, ...session("draft", 3, { questions: [inquiry("a")] })], { headless: false });
  expect(nextStep(asks)).toEqual({ type: "ask", questions: [inquiry("a")] });
});

test("another answer than the recommended one makes the draft an old one; the recommended one does not", () => {
  const asked = session("interview", 1, { hasDraft: true, questions: [inquiry("a")] });
  const answered = (answer: string): PlanningEvent => ({
    type: "questions-answered",
    answers: [{ id: "a", answer, assumed: false }],
  });
  expect(nextStep(after([...asked, answered("yes")]))).toEqual({ type: "assess" });
  expect(nextStep(after([...asked, answered("no")]))).toEqual({ type: "session", phase: "draft" });
});

test("a revision begins with the draft", () => {
  expect(nextStep(after([], { revises: { run: null, words: "split it" } }))).toEqual({
    type: "session",
    phase: "draft",
  });
});

test("a recorded session of a dead process is settled before anything else, and costs no session", () => {
  const [opened] = session("interview", 1) as [PlanningEvent];
  expect(nextStep(after([opened]))).toMatchObject({ type: "settle", open: { session: 1 } });
  const interrupted = { kind: "interrupted", detail: "" } as const;
  const settled = after(session("interview", 1, { outcome: interrupted }));
  expect(nextStep(settled)).toEqual({ type: "session", phase: "interview" });
  expect(settled.sessions - settled.interrupted).toBe(0);
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

test("A hand-over that is refused is reviewed again: by a person who may decide otherwise, or headless as before.", () => {
  const ready = [
    ...[begun, { type: "mapped", files: 1, symbols: 1, tokens: 1 }],
    ...[...session("interview", 1), ...session("gaps", 2), ...drafted(3), assessed(3)],
    ...session("critique", 4, { findings: [] }),
    { type: "draft-judged", word: "accept", words: "" },
  ] as PlanningEvent[];
  const stepAfter = (...events: PlanningEvent[]) => nextStep(foldPlanning([...ready, ...events]) as PlanningState).type;
  const refused = { type: "hand-over-refused", why: "plans/work is there" } as const;
  const goesOn = (headless: boolean) => ({ type: "planning-continued", pid: 1, headless }) as const;
  expect(stepAfter()).toBe("hand-over");
  expect(stepAfter(refused, goesOn(false))).toBe("review");
  expect(stepAfter(refused, goesOn(true))).toBe("accept");
});

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

test("where no session is left, the draft that stands can still be edited and accepted", () => {
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

test("what a person decides by an edit is their answer, asked or not, and whatever was assumed before", () => {
  const assumed: PlanningEvent = { type: "questions-answered", answers: [{ id: "a", answer: "yes", assumed: true }] };
  const decided = ["a", "b"].map((id) => ({ ...inquiry(id), answer: "no", assumed: false }));
  const edited: PlanningEvent = { type: "draft-judged", word: "edit", words: "+ no", decided };
  const state = after([...session("interview", 1, { questions: [inquiry("a")] }), assumed, ...drafted(2), edited]);

  expect(answeredQuestions(state)).toEqual(decided);
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
