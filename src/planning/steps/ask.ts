import { rm } from "node:fs/promises";
import type { Answered } from "../machine/events.ts";
import type { Inquiry } from "../machine/session-output.ts";
import { answeredQuestions, openQuestions } from "../machine/state.ts";
import type { PlanningEnd, PlanningSession } from "../planning-session.ts";
import { readAnswers, writeQuestions } from "../question-files.ts";

/** Takes the answers of another front end first, and asks the rest in the dialog. */
export async function askQuestions(
  planning: PlanningSession,
  questions: readonly Inquiry[],
): Promise<PlanningEnd | undefined> {
  const { paths, ports } = planning;
  writeQuestions(planning, questions);
  const found = await readAnswers(paths.answers, new Set(questions.map(({ id }) => id)));
  if (!found.ok) return { kind: "failed", why: found.failure.message, outcome: null };
  if (found.value.length > 0) return await recordAnswers(planning, found.value);
  const answered = answeredQuestions(planning.state);
  const known = new Set([...answered, ...questions].map(({ id }) => id));
  const given = ((await ports.dialog?.ask({ answered, open: questions })) ?? []).filter(({ id }) => known.has(id));
  if (given.length > 0) return await recordAnswers(planning, given);
  return { kind: "waits", for: "answers" };
}

/** Records answers; the file of questions goes once none is open. */
export async function recordAnswers(
  { append, state, paths }: PlanningSession,
  answers: readonly Answered[],
): Promise<undefined> {
  append({ type: "questions-answered", answers });
  if (openQuestions(state).length === 0) await rm(paths.questions, { force: true });
}
