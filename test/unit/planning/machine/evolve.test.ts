import { expect, test } from "vitest";
import type { Outcome } from "../../../../src/engine/session.ts";
import type { PlanningEvent } from "../../../../src/planning/machine/events.ts";
import { foldPlanning } from "../../../../src/planning/machine/evolve.ts";
import { nextStep } from "../../../../src/planning/machine/next-step.ts";
import { answeredQuestions, type PlanningState } from "../../../../src/planning/machine/state.ts";
import { after, assessed, begun, drafted, inquiry, session } from "../../../rig/planning-events.ts";

test("a session that crashes is retried; crashed twice in a row it halts until it is resumed", () => {
  const outcome = { kind: "crashed", detail: "exit 1" } as const;
  const once = session("interview", 1, { outcome });
  expect(nextStep(after(once))).toEqual({ type: "session", phase: "interview" });
  const twice = [...once, ...session("interview", 2, { outcome })];
  expect(nextStep(after(twice))).toEqual({ type: "end", end: { kind: "halted", why: "crashed: exit 1", outcome } });
  const resumed: PlanningEvent = { type: "planning-continued", pid: 2, headless: true };
  expect(nextStep(after([...twice, resumed]))).toEqual({ type: "session", phase: "interview" });
});

test("a program that fails the same way twice before any tool call halts with its own words and what to do", () => {
  const outcome = { kind: "crashed", detail: "exit 1 without a final event" } as const;
  const facts = { durationMs: 900, usedTools: false, version: "2.1.197", tryWith: "claude -p hello" };
  const failed = (number: number, lastWords: string) =>
    session("interview", number, { outcome, agent: "claude", program: { ...facts, lastWords, falseStart: lastWords } });
  const why =
    "claude 2.1.197 failed twice within seconds, before any tool call: exit 1 without a final event: no Node 22. Try `claude -p hello` yourself, check the network and `stint doctor`";
  expect(nextStep(after([...failed(1, "no Node 22"), ...failed(2, "no Node 22")]))).toEqual({
    type: "end",
    end: { kind: "halted", why, outcome: { kind: "misconfigured", detail: why } },
  });
  expect(nextStep(after([...failed(1, "no Node 22"), ...failed(2, "no space")]))).toMatchObject({
    end: { kind: "halted", why: "crashed: exit 1 without a final event: no space", outcome },
  });
});

test("a planner that is not logged in halts with the command that logs it in", () => {
  const outcome = { kind: "auth", detail: "Not logged in" } as const;
  const program = { durationMs: 900, usedTools: false, tryWith: "claude -p hello" };
  expect(nextStep(after(session("interview", 1, { outcome, agent: "claude", program })))).toMatchObject({
    end: {
      why: "auth: Not logged in. Log in with `stint login claude` (its sessions do not use your own login), or set its API key",
    },
  });
});

test("a planner whose service could not be reached halts with what to check", () => {
  const outcome = { kind: "overloaded", detail: "Connection failed: error sending request" } as const;
  expect(nextStep(after(session("interview", 1, { outcome })))).toMatchObject({
    end: {
      why: expect.stringMatching(
        /^its service could not be reached: Connection failed: .*\. Check the network, /,
      ) as string,
    },
  });
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

test("another answer than the recommended one makes the draft stale; the recommended one does not", () => {
  const asked = session("interview", 1, { hasDraft: true, questions: [inquiry("a")] });
  expect(nextStep(after([...asked, answers("a", "yes")]))).toEqual({ type: "assess" });
  expect(nextStep(after([...asked, answers("a", "no")]))).toEqual({ type: "session", phase: "draft" });
});

test("a person who goes back may give another answer, which makes the draft stale; the same one does not", () => {
  const draft = { hasDraft: true, questions: [inquiry("b")] };
  const before = [...session("interview", 1, { questions: [inquiry("a")] }), answers("a", "no"), ...session("gaps", 2)];
  const drafted = [...before, ...session("draft", 3, draft)];
  expect(nextStep(after([...drafted, answers("a", "no"), answers("b", "yes")]))).toEqual({ type: "assess" });
  const changed = after([...drafted, answers("a", "yes"), answers("b", "yes")]);
  expect(nextStep(changed)).toEqual({ type: "session", phase: "draft" });
  expect(answeredQuestions(changed)).toMatchObject([
    { id: "a", answer: "yes" },
    { id: "b", answer: "yes" },
  ]);
});

function answers(id: string, answer: string): PlanningEvent {
  return { type: "questions-answered", answers: [{ id, answer, assumed: false }] };
}

test("a recorded session of a dead process is settled before anything else, and costs no session", () => {
  const [opened] = session("interview", 1) as [PlanningEvent];
  expect(nextStep(after([opened]))).toMatchObject({ type: "settle", open: { session: 1 } });
  const interrupted = { kind: "interrupted", detail: "" } as const;
  const settled = after(session("interview", 1, { outcome: interrupted }));
  expect(nextStep(settled)).toEqual({ type: "session", phase: "interview" });
  expect(settled.sessions - settled.interrupted).toBe(0);
});

test("A hand-over that is refused is reviewed again: by a person who may decide otherwise, or headless as before.", () => {
  const ready = [
    ...[begun, { type: "mapped", files: 1, symbols: 1, tokens: 1 }],
    ...[...session("interview", 1), ...session("gaps", 2), ...drafted(3), assessed(3)],
    ...session("critique", 4, { findings: [] }),
    { type: "draft-judged", word: "accept", words: "" },
  ] as PlanningEvent[];
  const stepAfter = (...events: PlanningEvent[]) => nextStep(foldPlanning([...ready, ...events]) as PlanningState).type;
  const refused = { type: "hand-over-refused", why: "plans/work is there" } as const;
  const resumed = (headless: boolean) => ({ type: "planning-continued", pid: 1, headless }) as const;
  expect(stepAfter()).toBe("hand-over");
  expect(stepAfter(refused, resumed(false))).toBe("review");
  expect(stepAfter(refused, resumed(true))).toBe("accept");
});

test("what a person decides by an edit is their answer, asked or not, and whatever was assumed before", () => {
  const assumed: PlanningEvent = { type: "questions-answered", answers: [{ id: "a", answer: "yes", assumed: true }] };
  const decided = ["a", "b"].map((id) => ({ ...inquiry(id), answer: "no", assumed: false }));
  const edited: PlanningEvent = { type: "draft-judged", word: "edit", words: "+ no", decided };
  const state = after([...session("interview", 1, { questions: [inquiry("a")] }), assumed, ...drafted(2), edited]);

  expect(answeredQuestions(state)).toEqual(decided);
});
