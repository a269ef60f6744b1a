import { rm } from "node:fs/promises";
import type { Outcome } from "../engine/session.ts";
import type { Answered, PlanningEvent } from "./machine/events.ts";
import type { Inquiry, Left } from "./machine/session-output.ts";
import type { FittedMap } from "./map/fit.ts";
import { nextStep, type Step } from "./machine/next-step.ts";
import { openQuestions, type PlanningState } from "./machine/state.ts";
import type { PlannerBriefing } from "./prompts/planner.ts";
import { unreachable, type Result } from "../base/result.ts";
import type { PlanningPaths } from "../project/paths.ts";
import type { AssessedDraft } from "./machine/assessment.ts";
import type { Dialog } from "./ports.ts";
import { currentDocuments, hasUnheardEdit, keepEdited, showDraft } from "./draft-files.ts";
import type { PlannerSessions } from "./agent-sessions.ts";
import type { PlanningEnd } from "./open-planning.ts";
import { readAnswers, writeQuestions } from "./question-files.ts";
import { runPlannerSession, settleSession } from "./steps/session.ts";

/** What a planning does to the world, and what it is made from; whoever revises the plan of a run brings other hands. */
export interface PlanningHands {
  /** Kept up to date by `append`. */
  readonly state: PlanningState;
  /** When this returns, the event is durable. */
  readonly append: (event: PlanningEvent) => void;
  readonly paths: PlanningPaths;
  readonly sessions: PlannerSessions;
  readonly materials: Pick<PlannerBriefing, "prompts" | "project" | "rules" | "inputs" | "revision">;
  /** Writes for people; secrets are struck out. */
  readonly write: (path: string, text: string) => void;
  readonly map: () => Promise<FittedMap>;
  readonly assess: (left: Left) => Promise<AssessedDraft>;
  readonly handOver: (assessed: AssessedDraft) => Promise<Result<readonly string[]>>;
  /** Null where nobody can be asked. */
  readonly dialog: Dialog | null;
  readonly signal: AbortSignal;
}

/** A planning while it is driven. */
export interface Drive extends PlanningHands {
  /** The draft of that session as it was last assessed; after a crash it is assessed again. */
  assessed: { readonly session: number; readonly draft: AssessedDraft } | null;
}

/** Does one step after another until the plan is there, somebody is waited for, or it cannot go on. */
export async function drivePlanning(hands: PlanningHands): Promise<PlanningEnd> {
  const drive: Drive = { ...hands, assessed: null };
  try {
    for (;;) {
      hands.signal.throwIfAborted();
      const end = await perform(drive, nextStep(hands.state));
      if (end !== undefined) return end;
    }
  } catch (error) {
    if (hands.signal.aborted) return { kind: "interrupted" };
    throw error;
  }
}

async function perform(drive: Drive, step: Step): Promise<PlanningEnd | undefined> {
  switch (step.type) {
    case "settle":
      return await settleSession(drive, step.open);
    case "map":
      return await map(drive);
    case "session":
      return endOf(await runPlannerSession(drive, step.phase));
    case "ask":
      return await ask(drive, step.questions);
    case "assume":
      return await answer(drive, step.answers);
    case "assess":
      return await assess(drive);
    case "judge":
      return await judge(drive, step.isLast);
    case "accept":
      return record(drive, { type: "draft-judged", word: "accept", words: "" });
    case "hand-over":
      return await handOver(drive);
    case "end":
      return end(drive, step.end);
    default:
      return unreachable(step);
  }
}

function record({ append }: Drive, event: PlanningEvent): undefined {
  append(event);
  return undefined;
}

function endOf(outcome: Outcome): PlanningEnd | undefined {
  return outcome.kind === "interrupted" ? { kind: "interrupted" } : undefined;
}

async function map(drive: Drive): Promise<undefined> {
  const { text, files, symbols, tokens } = await drive.map();
  drive.write(drive.paths.map, text);
  return record(drive, { type: "mapped", files, symbols, tokens });
}

/** What another front end has answered counts first; the rest is asked here, where somebody can be asked. */
async function ask(drive: Drive, questions: readonly Inquiry[]): Promise<PlanningEnd | undefined> {
  const { paths, dialog } = drive;
  writeQuestions(drive, questions);
  const known = new Set(questions.map(({ id }) => id));
  const found = await readAnswers(paths.answers, known);
  if (!found.ok) return { kind: "failed", why: found.failure.message, outcome: null };
  if (found.value.length > 0) return await answer(drive, found.value);
  const answers = (await dialog?.ask(questions)) ?? [];
  const given = answers.filter(({ id }) => known.has(id));
  if (given.length > 0) return await answer(drive, given);
  return { kind: "waits", for: "answers" };
}

async function answer(drive: Drive, answers: readonly Answered[]): Promise<undefined> {
  drive.append({ type: "questions-answered", answers });
  if (openQuestions(drive.state).length === 0) await rm(drive.paths.questions, { force: true });
}

async function assess(drive: Drive): Promise<undefined> {
  const { problems } = await assessNow(drive);
  return record(drive, { type: "draft-assessed", session: expectDraft(drive.state).session, problems });
}

async function assessNow(drive: Drive): Promise<AssessedDraft> {
  const { session } = expectDraft(drive.state);
  if (drive.assessed?.session === session) return drive.assessed.draft;
  let draft = await assessKept(drive);
  if (await hasUnheardEdit(drive, draft)) {
    await keepEdited(drive, draft);
    draft = await assessKept(drive);
  }
  await showDraft(drive, draft);
  drive.assessed = { session, draft };
  return draft;
}

async function assessKept(drive: Drive): Promise<AssessedDraft> {
  const kept = await currentDocuments(drive);
  const draft = await drive.assess({ ...kept, questions: [], findings: null, problems: [] });
  drive.signal.throwIfAborted();
  return draft;
}

async function judge(drive: Drive, isLast: boolean): Promise<PlanningEnd | undefined> {
  const { dialog, paths, state, materials } = drive;
  const assessed = await assessNow(drive);
  const revises = materials.revision?.plan ?? null;
  const shown = { plan: state.plan, folder: paths.draft, assessed, findings: state.findings, revises, isLast };
  const judged = (await dialog?.review(shown)) ?? null;
  if (judged === null) return { kind: "waits", for: "word" };
  if (judged.word !== "edit") return record(drive, { type: "draft-judged", ...judged });
  const decided = await keepEdited(drive, assessed);
  drive.assessed = null;
  return record(drive, { type: "draft-judged", ...judged, ...(decided.length > 0 && { decided }) });
}

async function handOver(drive: Drive): Promise<PlanningEnd | undefined> {
  const handed = await drive.handOver(await assessNow(drive));
  if (!handed.ok) {
    drive.append({ type: "hand-over-refused", why: handed.failure.message });
    return { kind: "failed", why: handed.failure.message, outcome: null };
  }
  return record(drive, { type: "handed-over", paths: handed.value });
}

function end({ append, state }: Drive, how: Extract<Step, { type: "end" }>["end"]): PlanningEnd {
  if (how.kind === "halted") return { kind: "failed", why: how.why, outcome: how.outcome };
  if (how.kind === "handed-over")
    return { kind: "handed-over", paths: how.paths, problems: state.draft?.problems ?? [] };
  if (state.over === null) append({ type: "planning-ended", why: how.kind, words: how.words });
  return how.kind === "rejected" ? { kind: "rejected" } : { kind: "failed", why: how.words, outcome: null };
}

function expectDraft({ draft }: PlanningState): NonNullable<PlanningState["draft"]> {
  if (draft === null) throw new Error("Internal error: expected a draft, but was null");
  return draft;
}
