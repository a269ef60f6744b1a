import { planningLimits } from "../../planning/limits.ts";
import type { Answered } from "../../planning/machine/events.ts";
import type { Inquiry } from "../../planning/machine/session-output.ts";
import { type Io, discardTyped, typedLine } from "../io.ts";
import { gap, lay, lookOf, type Item } from "../text-layout.ts";

/** Asks the person at the terminal one question per call, so that each answer is kept at once; null if they leave. */
export function createAsker(io: Io): (questions: readonly Inquiry[]) => Promise<readonly Answered[] | null> {
  let [answered, hasLeft] = [0, false];
  return async ([question, ...others]) => {
    if (question === undefined || !io.interactive || hasLeft) return null;
    answered += 1;
    const answer = await askOne(io, question, `Question ${answered} of ${answered + others.length}`);
    hasLeft = answer === undefined;
    return answer === undefined ? null : [{ id: question.id, answer, assumed: false }];
  };
}

async function askOne(io: Io, question: Inquiry, place: string): Promise<string | undefined> {
  await discardTyped();
  for (const line of lay(questionItems(question, place), lookOf(io))) io.err(line);
  for (;;) {
    const line = await typedLine("> ", io.signal);
    if (line === undefined) return undefined;
    const answer = answerOf(question, line);
    if ("answer" in answer) return answer.answer;
    io.err(answer.again);
  }
}

function questionItems(question: Inquiry, place: string): Item[] {
  const { id, ...asked } = question;
  return [
    gap,
    { label: `${place}: `, text: id, style: "bold" },
    ...factsOf(asked),
    { text: howText(asked), ours: true, style: "dim" },
  ];
}

/** Shows a question with its id, its options and what is recommended. */
export function questionFacts({ id, ...asked }: Inquiry): Item[] {
  return [{ text: id, style: "bold" }, ...factsOf(asked)];
}

function factsOf({ question, options, recommend }: Omit<Inquiry, "id">): Item[] {
  const isOwn = recommend !== null && !options.includes(recommend);
  return [
    { indent: 2, text: question },
    ...options.map((option, at): Item => {
      const isBest = option === recommend;
      const text = isBest ? `${option} (recommended)` : option;
      return { indent: 2, label: `${at + 1}. `, text, ...(isBest && green) };
    }),
    ...(isOwn ? [{ indent: 2, label: "Recommended: ", text: recommend, ...green }] : []),
  ];
}

const green = { style: "green", styled: "label" } as const;

function howText({ options, recommend }: Pick<Inquiry, "options" | "recommend">): string {
  const ways = [
    ...(recommend === null ? [] : ["Enter accepts the recommendation"]),
    ...(options.length === 0 ? [] : ["a number picks an option"]),
    "anything else is your answer",
  ];
  const how = options.length === 0 && recommend === null ? "Type your answer" : ways.join(", ");
  return `(${how}; Ctrl-C leaves)`;
}

/** Reads a typed line as an answer, or says what to print before asking again. */
export function answerOf(
  { options, recommend }: Pick<Inquiry, "options" | "recommend">,
  line: string,
): { readonly answer: string } | { readonly again: string } {
  if (line === "")
    return recommend === null ? { again: "There is no recommendation: type an answer." } : { answer: recommend };
  if (line.length > planningLimits.inquiryCharsMax)
    return { again: `Use at most ${planningLimits.inquiryCharsMax} characters.` };
  const option = /^[1-9]\d?$/.test(line) ? options[Number(line) - 1] : undefined;
  return { answer: option ?? line };
}
