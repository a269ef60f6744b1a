import type { Words } from "../../agents/driver-kit/transcript.ts";
import { plural } from "../../base/plural.ts";
import { cliLimits } from "../limits.ts";

/** Whole lines of what an agent said or thought. */
export interface Spoken {
  readonly type: Words["type"];
  readonly lines: readonly string[];
  /** Whether a message begins with them. */
  readonly isFirst: boolean;
}

/** Joins the pieces of messages to lines; the line that is not whole yet is held back. Long thoughts are folded. */
export interface WordJoiner {
  readonly add: (entry: Words) => Spoken[];
  readonly end: () => Spoken[];
}

export function joinWords(): WordJoiner {
  let open: Message | undefined;
  const end = (): Spoken[] => {
    const last = open;
    open = undefined;
    if (last === undefined) return [];
    const lines = [...take(last, last.rest), ...(last.hidden === 0 ? [] : [moreLines(last.hidden)])];
    return lines.length === 0 ? [] : [{ type: last.type, lines, isFirst: last.shown === lines.length }];
  };
  const add = ({ type, text, ...entry }: Words): Spoken[] => {
    const isPiece = entry.isPiece === true;
    const before = open?.type === type && open.isPiece && isPiece ? [] : end();
    const message = (open ??= { type, isPiece, rest: "", blank: 0, shown: 0, hidden: 0 });
    const lines = `${message.rest}${text}`.split("\n");
    // Pieces of a line that never ends are not kept.
    const isLong = (lines.at(-1)?.length ?? 0) > cliLimits.transcriptLineCharsMax;
    message.rest = isLong ? "" : (lines.pop() ?? "");
    const whole = lines.flatMap((line) => take(message, line));
    const spoken = whole.length === 0 ? [] : [{ type, lines: whole, isFirst: message.shown === whole.length }];
    return [...before, ...spoken, ...(isPiece ? [] : end())];
  };
  return { add, end };
}

interface Message {
  readonly type: Words["type"];
  readonly isPiece: boolean;
  rest: string;
  /** Empty lines since the last one that says something; those at the ends of a message are left out. */
  blank: number;
  shown: number;
  hidden: number;
}

/** Takes the next line of a message; returns what there is to show of it. */
function take(message: Message, line: string): string[] {
  if (line.trim() === "") {
    if (message.shown > 0) message.blank += 1;
    return [];
  }
  const lines =
    message.type === "says" ? [...Array.from({ length: message.blank }, () => ""), line] : thought(message, line);
  message.blank = 0;
  message.shown += lines.length;
  return lines;
}

function thought(message: Message, line: string): string[] {
  if (message.shown === 0) return [`thinking: ${line}`];
  if (message.shown < cliLimits.transcriptThoughtLinesMax) return [line];
  message.hidden += 1;
  return [];
}

/** Says how many lines are left out. */
export function moreLines(count: number): string {
  return `… ${plural(count, "more line")}`;
}
