import { cureOfFalseStarts, falseStartIn, whyFalseStarts, wordsOf } from "../../engine/false-start.ts";
import { isOutOfReach, outcomeName, outOfReachCure } from "../../engine/service-failure.ts";
import { loginCure } from "../../engine/session-end.ts";
import { localStamp } from "../../base/local-time.ts";
import { unreachable } from "../../base/result.ts";
import type { Outcome } from "../../engine/session.ts";
import { add, noSpending } from "../../engine/spending.ts";
import { planningLimits } from "../limits.ts";
import type { Answered, PlanningEvent } from "./events.ts";
import type { Inquiry } from "./session-output.ts";
import { isGrave, type DraftState, type EventOf, type PlanningState } from "./state.ts";

/** Returns the state after all events; undefined where there are none. */
export function foldPlanning(events: Iterable<PlanningEvent>): PlanningState | undefined {
  let state: PlanningState | undefined;
  for (const event of events) state = evolvePlanning(state, event);
  return state;
}

/** Returns the state after one more event. */
export function evolvePlanning(state: PlanningState | undefined, event: PlanningEvent): PlanningState {
  if (event.type === "planning-started") return begin(event);
  if (state === undefined) throw new Error(`Internal error: expected planning-started, but was ${event.type}`);
  switch (event.type) {
    case "planning-continued":
      return { ...state, headless: event.headless, failures: 0, halted: null, decision: validDecision(state, event) };
    case "mapped":
      return { ...state, mapped: true };
    case "session-started":
      return started(state, event);
    case "session-ended":
      return ended(state, event);
    case "questions-answered":
      return answered(state, event.answers);
    case "draft-assessed":
      return assessed(state, event);
    case "draft-judged":
      return decided(state, event);
    case "hand-over-refused":
      // A person reviews the draft again: the same decision would be refused for ever.
      return { ...state, decision: null };
    case "handed-over":
      return { ...state, over: { kind: "handed-over", paths: event.paths } };
    case "planning-ended":
      return { ...state, over: { kind: event.why, words: event.words } };
    default:
      return unreachable(event);
  }
}

/**
 * Returns the decision about the draft that is still valid after a resume. A person who resumes a headless session sees the
 * draft first; so does one whose draft is compared again with the plan of a run, which may have changed since.
 */
function validDecision({ headless, decision: word, revises }: PlanningState, event: EventOf<"planning-continued">) {
  const isForRun = (revises?.run ?? null) !== null;
  return word === "accept" && isForRun ? null : headless && !event.headless ? null : word;
}

function begin(event: EventOf<"planning-started">): PlanningState {
  const { planning, plan, goal, base, inputs, headless, revises } = event;
  return {
    planning,
    plan,
    goal,
    base,
    inputs,
    headless,
    revises,
    mapped: false,
    sessions: 0,
    sessionsOf: { interview: 0, gaps: 0, draft: 0, critique: 0 },
    interrupted: 0,
    open: null,
    done: new Set(),
    failures: 0,
    falseStart: null,
    halted: null,
    inquiries: [],
    answers: new Map(),
    draft: null,
    documents: null,
    findings: null,
    words: "",
    decision: null,
    usage: noSpending,
    over: null,
  };
}

function started(state: PlanningState, event: EventOf<"session-started">): PlanningState {
  return { ...counted(state, event), open: event };
}

function counted(state: PlanningState, { phase, session }: Pick<EventOf<"session-started">, "phase" | "session">) {
  return { ...state, sessions: session, sessionsOf: { ...state.sessionsOf, [phase]: state.sessionsOf[phase] + 1 } };
}

function ended(before: PlanningState, event: EventOf<"session-ended">): PlanningState {
  const { outcome, phase } = event;
  // An agent that could not be started has no process to record.
  const known = before.open === null ? counted(before, event) : before;
  const ended = { ...known, open: null, usage: add(before.usage, event.usage) };
  if (outcome.kind === "interrupted") return { ...ended, interrupted: ended.interrupted + 1 };
  if (lasting.has(outcome.kind)) return { ...ended, halted: { why: whyHalted(event), outcome } };
  const falseStart = falseStartIn(event);
  const state = { ...ended, falseStart };
  const taken = outcome.kind === "ok" ? takeIn(state, event) : state;
  const isEmpty = phase === "critique" ? event.findings === null : phase === "draft" && isNothingNew(state, taken);
  const done = new Set([...state.done, phase]);
  if (outcome.kind === "ok" && !isEmpty) return { ...taken, failures: 0, done };
  const failures = state.failures + 1;
  if (failures < triesMax) return { ...taken, failures };
  // A critique is a second look; without one a person still reviews the draft, and sees that there was none.
  if (phase === "critique") return { ...taken, failures: 0, done };
  if (falseStart !== null && falseStart === before.falseStart) {
    const detail = `${whyFalseStarts(event)}. ${cureOfFalseStarts(event)}`;
    return { ...taken, failures, halted: { why: detail, outcome: { kind: "misconfigured", detail } } };
  }
  const why = outcome.kind === "ok" ? "the planner produced no plan" : whyHalted(event);
  return { ...taken, failures, halted: { why, outcome } };
}

/** How many sessions of one phase may fail in a row. */
const triesMax = 2;

/** Outcomes after which another session would end the same way now. */
const lasting: ReadonlySet<Outcome["kind"]> = new Set(["limit", "overloaded", "auth", "misconfigured", "budget"]);

function whyHalted(event: EventOf<"session-ended">): string {
  const { outcome, program } = event;
  if (outcome.kind === "ok") return "it succeeded";
  if (outcome.kind === "limit")
    return `the usage limit is reached${outcome.until === null ? "" : ` until ${localStamp(outcome.until)}`}`;
  const cure = outcome.kind === "auth" ? loginCure(event) : isOutOfReach(outcome) ? outOfReachCure : undefined;
  const words = wordsOf(outcome.detail, program);
  const name = outcomeName(outcome);
  return `${words === "" ? name : `${name}: ${words}`}${cure === undefined ? "" : `. ${cure}`}`;
}

function isNothingNew(before: PlanningState, after: PlanningState): boolean {
  return after.draft === before.draft && after.inquiries.length === before.inquiries.length;
}

/** Takes over the output of a session: new questions, a draft of whatever phase, the findings of a critique. */
function takeIn(state: PlanningState, event: EventOf<"session-ended">): PlanningState {
  const known = new Set(state.inquiries.map(({ id }) => id));
  const news = event.questions.filter(
    ({ id }, at, all) => !known.has(id) && all.findIndex((one) => one.id === id) === at,
  );
  const inquiries = [...state.inquiries, ...news].slice(0, planningLimits.planningQuestionsMax);
  if (event.phase === "critique") return { ...state, findings: event.findings, draft: afterCritique(state, event) };
  const { draft } = state;
  const documents = { session: event.session, phase: event.phase };
  if (!event.hasDraft) return { ...state, inquiries, ...(event.hasScope && draft === null && { documents }) };
  const corrections = draft === null || draft.stale ? 0 : draft.corrections + 1;
  const next = { session: event.session, problems: null, corrections, stale: false };
  return { ...state, inquiries, documents, words: "", draft: next };
}

function afterCritique({ draft }: PlanningState, { findings }: EventOf<"session-ended">): DraftState | null {
  return draft !== null && findings?.some(isGrave) === true ? outdated(draft) : draft;
}

function outdated(draft: DraftState): DraftState {
  return { ...draft, stale: true, corrections: 0 };
}

/** A draft assumes what was answered before, or else what its planner recommends; another answer makes it stale. */
function answered(state: PlanningState, given: readonly Answered[]): PlanningState {
  const asked = new Map(state.inquiries.map(({ id, recommend }) => [id, state.answers.get(id)?.answer ?? recommend]));
  const news = given.filter(({ id }) => asked.has(id));
  const answers = new Map([...state.answers, ...news.map((answer) => [answer.id, answer] as const)]);
  const isOther = news.some(({ id, answer, assumed }) => !assumed && answer !== asked.get(id));
  return { ...state, answers, draft: state.draft !== null && isOther ? outdated(state.draft) : state.draft };
}

function assessed(state: PlanningState, { session, problems }: EventOf<"draft-assessed">): PlanningState {
  const { draft } = state;
  return draft?.session === session ? { ...state, draft: { ...draft, problems } } : state;
}

function decided(
  before: PlanningState,
  { word, words, decided: answers = [] }: EventOf<"draft-judged">,
): PlanningState {
  const state = withDecided(before, answers);
  if (word === "accept" || word === "reject" || state.draft === null) return { ...state, decision: word };
  const draft = word === "edit" ? { ...state.draft, problems: null } : state.draft;
  return { ...state, decision: null, words, draft: outdated(draft) };
}

/** Takes what a person wrote into the draft as their answer, whether or not it was asked or answered before. */
function withDecided(state: PlanningState, decided: readonly (Inquiry & Answered)[]): PlanningState {
  const known = new Set(state.inquiries.map(({ id }) => id));
  const news = decided.filter(({ id }) => !known.has(id));
  const inquiries = [
    ...state.inquiries,
    ...news.map(({ id, question, options, recommend }) => ({ id, question, options, recommend })),
  ];
  const answers = decided.map(({ id, answer, assumed }) => [id, { id, answer, assumed }] as const);
  return { ...state, inquiries, answers: new Map([...state.answers, ...answers]) };
}
