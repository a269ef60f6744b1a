import { keepAnswers, readAnswers } from "../../host/planning/answers.ts";
import { limits } from "../../limits.ts";
import type { Answered } from "../../planner/events.ts";
import type { Inquiry } from "../../planner/left.ts";
import { shortened, visible } from "../../plan/visible.ts";
import { warn, type Io } from "../io.ts";
import { gap, lay, lookOf, type Item } from "../page/layout.ts";
import { discardTyped, typedLine } from "./typed-line.ts";

/** Gets answers from answers.json, and the others from whoever sits at the terminal; null where one is left open. */
export async function askQuestions(
  io: Io,
  folder: string,
  questions: readonly Inquiry[],
): Promise<readonly Answered[] | null> {
  const lying = readAnswers(folder);
  if (!lying.ok) warn(io, lying.failure.message);
  const given = new Map(lying.ok ? lying.value : []);
  const open = questions.filter(({ id }) => !given.has(id));
  if (open.length > 0 && !io.interactive) return null;
  if (open.length > 0) await discardTyped();
  for (const [at, question] of open.entries()) {
    const answer = await askOne(io, question, `Question ${at + 1} of ${open.length}`);
    if (answer === undefined) return null;
    given.set(question.id, answer);
    // At once: whoever leaves at the next question need not answer this one again.
    keepAnswers(folder, new Map([[question.id, answer]]));
  }
  return questions.map(({ id }) => ({ id, answer: given.get(id) ?? "", assumed: false }));
}

async function askOne(io: Io, question: Inquiry, place: string): Promise<string | undefined> {
  for (const line of lay(questionItems(question, place), lookOf(io))) io.err(line);
  for (;;) {
    const line = await typedLine("> ", io.signal);
    if (line === undefined) return undefined;
    const answer = answerOf(question, line);
    if ("answer" in answer) {
      io.err(`  ${visible(shortened(answer.answer, 200))}`);
      return answer.answer;
    }
    io.err(answer.again);
  }
}

/** A question with its options, and how it is answered. */
export function questionItems({ id, question, options, recommend }: Inquiry, place: string): Item[] {
  return [
    gap,
    { label: `${place}, `, text: id, style: "bold" },
    { indent: 2, text: question },
    ...options.map((text, at): Item => {
      const isFirstChoice = text === recommend;
      return { indent: 2, label: `${at + 1}. `, text: text + (isFirstChoice ? " (recommended)" : ""), ...(isFirstChoice && green) };
    }),
    ...(recommend === null || options.includes(recommend)
      ? []
      : [{ indent: 2, label: "Recommended: ", text: recommend, ...green }]),
    { text: howText({ options, recommend }), ours: true, style: "dim" },
  ];
}

const green = { style: "green", styled: "label" } as const;

function howText({ options, recommend }: Pick<Inquiry, "options" | "recommend">): string {
  return [
    ...(recommend === null ? [] : ["Enter takes the recommendation"]),
    ...(options.length === 0 ? [] : ["a number takes an option"]),
    options.length === 0 && recommend === null ? "Type your answer; Ctrl-C leaves and keeps all" : "other text is your own answer; Ctrl-C leaves and keeps all",
  ].join(", ");
}

/** What a typed line means as an answer, or what to say before asking again. */
export function answerOf(
  { options, recommend }: Pick<Inquiry, "options" | "recommend">,
  line: string,
): { readonly answer: string } | { readonly again: string } {
  if (line === "") return recommend === null ? { again: "Nothing is recommended here: type an answer." } : { answer: recommend };
  if (line.length > limits.inquiryCharsMax) return { again: `Use at most ${limits.inquiryCharsMax} characters.` };
  const option = /^[1-9]\d?$/.test(line) ? options[Number(line) - 1] : undefined;
  return { answer: option ?? line };
}
