import { accountFor } from "./session-end.ts";
import { enter, taskOf, type RunState, type TaskState } from "./state.ts";
import type { CheckEvidence } from "./evidence.ts";
import type { EventOf, RunEvent } from "./events.ts";
import { isChecked, ontoOf, type Car } from "./train.ts";
import { remember } from "./verdicts.ts";
import { engineLimits } from "./limits.ts";
import type { Judgement } from "./session.ts";

/** A change whose checks have all passed but the judge's. The judge's answers about it apply wherever it is put. */
export interface Judging {
  readonly diff: string;
  readonly questions: readonly string[];
  /** The latest commit on which all other checks were green. */
  readonly checked: Pick<EventOf<"checks-passed">, "tip" | "placed" | "tree" | "checks">;
  /** The answers by question. */
  readonly answers: Map<string, Judgement & { readonly durationMs: number }>;
  /** Why the sessions on a question left no judgement, by question. */
  readonly silences: Map<string, readonly string[]>;
}

/** The judge's sessions about one task, or about the plan. */
export interface JudgeRecord {
  /** How many there were. */
  readonly sessions: number;
  /** The latest one, until its end is recorded. */
  readonly open: EventOf<"judge-started"> | null;
  /** The false start that the judge had made before this session. */
  readonly failedBefore: string | null;
}

/** Only a judge is left to ask; what it answered about the same change before still applies. */
export function passChecks(state: RunState, event: EventOf<"checks-passed">) {
  const { task: id, diff, questions, tip, placed, tree, checks } = event;
  const before = id === null ? state.judging : taskOf(state, id).judging;
  const { answers, silences } = before?.diff === diff ? before : { answers: new Map(), silences: new Map() };
  const judging: Judging = { diff, questions, checked: { tip, placed, tree, checks }, answers, silences };
  remember(state, tree, checks);
  if (id === null) {
    state.judging = judging;
    return;
  }
  taskOf(state, id).judging = judging;
  enter(state, id, "judging");
}

export function startJudge(state: RunState, event: EventOf<"judge-started">) {
  const failedBefore = state.falseStarts.get("judge") ?? null;
  state.judges.set(event.task, { sessions: event.session, open: event, failedBefore });
}

/** The session is accounted for whatever became of the change; its answer counts only for the change it was asked about. */
export function takeJudgement(state: RunState, event: EventOf<"judged">) {
  const { task: id, session, question, diff, judgement, outcome, durationMs } = event;
  const { failedBefore = null } = state.judges.get(id) ?? {};
  state.judges.set(id, { sessions: session, open: null, failedBefore });
  const isFalseStart = accountFor(state, { task: id, role: "judge", failedBefore }, event);
  const judging = id === null ? state.judging : taskOf(state, id).judging;
  if (judging?.diff !== diff) return;
  if (judgement !== null) judging.answers.set(question, { ...judgement, durationMs });
  else if (isSilence(outcome) && !isFalseStart) {
    judging.silences.set(question, [...(judging.silences.get(question) ?? []), whySilent(event)]);
  }
}

/** Returns the change that a judge may be asked about now; null where there is none. */
export function judgingOf(state: RunState, id: string | null): Judging | null {
  if (id === null) return state.judging?.checked.tip === state.tip ? state.judging : null;
  const { phase, judging } = taskOf(state, id);
  return phase === "judging" ? judging : null;
}

/** Returns the next question for a judge; undefined once the conclusion is clear. */
export function openQuestion(judging: Judging): string | undefined {
  if (refusedQuestion(judging) !== undefined || silentQuestion(judging) !== undefined) return undefined;
  return judging.questions.find((question) => !judging.answers.has(question));
}

/** Returns the open question that keeps a car from landing although its other checks are green. */
export function awaitedOf(car: Car): string | undefined {
  return isChecked(car) && car.task.judging !== null ? openQuestion(car.task.judging) : undefined;
}

/** Concludes from a judge's answers about a candidate; null while an answer is missing, or its other checks on a new tip are. */
export function concludeJudging(state: RunState, task: TaskState): RunEvent | null {
  const { judging, attempts, spec } = task;
  if (judging === null) throw new Error(`Internal error: expected questions about ${spec.id}, but was null`);
  const { tip, placed, checks } = judging.checked;
  const of = { task: spec.id, attempt: attempts };
  const evidence = { guards: [], checks: [...checks, ...judgeEvidence(judging)] };
  const refused = refusedQuestion(judging);
  if (refused !== undefined) {
    const why = `the judge refuses: ${refused} (${judging.answers.get(refused)?.why})`;
    // What a judge refuses is refused on any tip, so this verdict need not wait for the cars in front.
    const verdict = { type: "verdict", result: "failed", reason: "judge", placed: null } as const;
    return { ...verdict, ...of, why, tip: state.tip, ...evidence };
  }
  const silent = silentQuestion(judging);
  if (silent !== undefined) {
    const why = `no judgement on ${silent}: ${judging.silences.get(silent)?.join("; then ")}`;
    return { type: "task-blocked", ...of, kind: "broken-check", why };
  }
  if (openQuestion(judging) !== undefined || tip !== ontoOf(state, spec.id)) return null;
  return { type: "verdict", ...of, result: "passed", reason: null, why: "", tip, placed, ...evidence };
}

/** Concludes from the plan's checks and the judge's answers about the final tip; null while an answer is missing. */
export function concludeFinalJudging({ judging }: RunState): RunEvent | null {
  if (judging === null || openQuestion(judging) !== undefined) return null;
  const { tip, tree, checks } = judging.checked;
  const said = judgeEvidence(judging);
  const ok = said.every(({ state }) => state === "green");
  return { type: "final-verified", tip, ok, checks: [...checks, ...said], tree };
}

/** A person who resumes a run whose plan was refused wants the judge to be asked again. */
export function forgetRefusals({ judging }: RunState) {
  for (const [question, { pass }] of judging?.answers ?? []) if (!pass) judging?.answers.delete(question);
  judging?.silences.clear();
}

/** A judge's answers have no key, because only the judge could repeat them, on this commit or an earlier one. */
function judgeEvidence({ questions, answers, silences }: Judging): CheckEvidence[] {
  return questions.flatMap((question): CheckEvidence[] => {
    const said = { label: `judge: ${question}`, tail: "" };
    const answer = answers.get(question);
    if (answer !== undefined) {
      const { pass, why, durationMs } = answer;
      return [{ ...said, state: pass ? "green" : "red", why, durationMs }];
    }
    const silence = silences.get(question)?.join("; then ");
    return silence === undefined ? [] : [{ ...said, state: "broken", why: `no judgement: ${silence}`, durationMs: 0 }];
  });
}

function refusedQuestion({ questions, answers }: Judging): string | undefined {
  return questions.find((question) => answers.get(question)?.pass === false);
}

function silentQuestion({ questions, answers, silences }: Judging): string | undefined {
  const isSilent = (question: string) => (silences.get(question)?.length ?? 0) >= engineLimits.judgeSilencesMax;
  return questions.find((question) => !answers.has(question) && isSilent(question));
}

/** A limit, a missing login, a cap or a stop is neither the judge's fault nor the work's: the question is simply asked again. */
function isSilence({ kind }: EventOf<"judged">["outcome"]): boolean {
  return ["ok", "crashed", "timeout", "idle", "refused", "context"].includes(kind);
}

function whySilent({ outcome, problem }: EventOf<"judged">): string {
  if (outcome.kind === "ok") return problem ?? "it left none";
  return "detail" in outcome ? `its session: ${outcome.kind}, ${outcome.detail}` : outcome.kind;
}
