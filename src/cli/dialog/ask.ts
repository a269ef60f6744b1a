import { planningLimits } from "../../planning/limits.ts";
import type { Answered } from "../../planning/machine/events.ts";
import type { Dialog } from "../../planning/ports.ts";
import type { Inquiry } from "../../planning/machine/session-output.ts";
import { type Io, discardTyped, typedLine } from "../io.ts";
import { gap, lay, lookOf, type Item } from "../text-layout.ts";

/** Asks the person at the terminal one open question per call, so that each answer is kept at once; null if they leave. */
export function createAsker(io: Io): Dialog["ask"] {
  let hasLeft = false;
  return async ({ answered, open }) => {
    if (open[0] === undefined || !io.interactive || hasLeft) return null;
    const all: readonly Posed[] = [...answered, ...open];
    // A person may go back over the answers; one that stays the same leads to the next question again.
    for (let at = answered.length; ;) {
      const posed: Posed = all[at] ?? open[0];
      const said = await askOne(io, posed, { at, of: all.length });
      if (said === undefined) {
        hasLeft = true;
        return null;
      }
      if ("answer" in said && (said.answer !== posed.answer || posed.assumed === true))
        return [{ id: posed.id, answer: said.answer, assumed: false }];
      at += "back" in said ? -1 : 1;
    }
  };
}

/** A question, with its answer if it has one already. */
type Posed = Inquiry & Partial<Answered>;

interface Place {
  /** Counts from 0. */
  readonly at: number;
  readonly of: number;
}

type Said = { readonly answer: string } | { readonly back: true };

async function askOne(io: Io, posed: Posed, place: Place): Promise<Said | undefined> {
  await discardTyped();
  for (const line of lay(questionItems(posed, place), lookOf(io))) io.err(line);
  for (;;) {
    const line = await typedLine("> ", io.signal);
    if (line === undefined) return undefined;
    const said = answerOf(posed, line, place.at === 0);
    if (!("again" in said)) return said;
    io.err(said.again);
  }
}

function questionItems({ id, ...asked }: Posed, place: Place): Item[] {
  return [
    gap,
    { label: `Question ${place.at + 1} of ${place.of}: `, text: id, style: "bold" },
    ...factsOf(asked),
    ...(asked.answer === undefined ? [] : [{ indent: 2, label: "Your answer so far: ", text: asked.answer }]),
    { text: howText(asked, place.at === 0), ours: true, style: "dim" },
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

function howText({ options, recommend, answer }: Omit<Posed, "id" | "question">, isFirst: boolean): string {
  const onEnter = answer !== undefined ? "Enter keeps your answer" : "Enter accepts the recommendation";
  const ways = [
    ...(answer === undefined && recommend === null ? [] : [onEnter]),
    ...(options.length === 0 ? [] : ["a number picks an option"]),
    "anything else is your answer",
  ];
  const how = ways.length === 1 ? "Type your answer" : ways.join(", ");
  return `(${how}; ${isFirst ? "" : `${back} goes back, `}Ctrl-C leaves)`;
}

/** Typed alone, this leads to the question before. */
const back = "b";

/** Reads a typed line as an answer or as the way back, or says what to print before asking again. */
export function answerOf(
  { options, recommend, answer }: Omit<Posed, "id" | "question">,
  line: string,
  isFirst = false,
): Said | { readonly again: string } {
  const usual = answer ?? recommend;
  if (line === "") return usual === null ? { again: "There is no recommendation: type an answer." } : { answer: usual };
  if (line.length > planningLimits.inquiryCharsMax)
    return { again: `Use at most ${planningLimits.inquiryCharsMax} characters.` };
  if (line.toLowerCase() === back && !options.some((option) => option.toLowerCase() === back))
    return isFirst ? { again: `This is the first question. ${literally(line)}` } : { back: true };
  return optionOr(options, line);
}

/** A number chooses one of the options and must be one of theirs; in quotes it is the answer itself, like any other text. */
export function optionOr(
  options: readonly string[],
  line: string,
): { readonly answer: string } | { readonly again: string } {
  if (/^\d+$/.test(line) && options.length > 0) {
    const option = options[Number(line) - 1] ?? options.find((text) => text === line);
    const range = options.length === 1 ? "There is one option: type 1." : `Type a number from 1 to ${options.length}.`;
    return option === undefined ? { again: `${range} ${literally(line)}` } : { answer: option };
  }
  return { answer: /^"(\d+|b)"$/i.exec(line)?.[1] ?? line };
}

function literally(line: string): string {
  return `If ${line} itself is your answer, type "${line}" in quotes.`;
}
