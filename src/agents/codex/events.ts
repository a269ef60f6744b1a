import type { Outcome, Usage } from "../driver-kit/agent.ts";
import { type Ear, parseRecord } from "../driver-kit/dialect.ts";
import { firstLine, type Json, toRecord, toText } from "../driver-kit/json.ts";
import type { OwnEnd } from "../driver-kit/session.ts";
import { eventsOf } from "../driver-kit/transcript.ts";
import { readCodex } from "./transcript.ts";

/** Interprets the output of Codex with `exec --json`; `now` is only used to read times of day. */
export function listenToCodex(now: () => Date): Ear {
  let threadId: string | null = null;
  let modelUnknown = false;
  let usage: Usage | null = null;
  let end: { readonly failure: string | null } | undefined;
  const read = readCodex();
  return {
    hear: (line) => {
      const entries = read(line);
      switch (line["type"]) {
        case "thread.started":
          threadId = toText(line["thread_id"]) || null;
          break;
        case "item.completed":
          modelUnknown ||= isModelUnknown(toRecord(line["item"]));
          break;
        case "turn.completed":
          end = { failure: null };
          for (const entry of entries) if (entry.type === "usage") ({ usage } = entry);
          break;
        case "turn.failed":
          end = { failure: toText(toRecord(line["error"])["message"]) };
          break;
        default:
      }
      return eventsOf(entries);
    },
    isFinal: () => end !== undefined,
    conclude: (ownEnd) => conclude(ownEnd, end, (message) => concludeFailure(message, { now: now(), modelUnknown })),
    usage: () => usage,
    sessionId: () => threadId,
  };
}

/** Whether the program warns that it does not know the model; it asks the service all the same. */
function isModelUnknown(item: Json): boolean {
  return item["type"] === "error" && toText(item["message"]).startsWith("Model metadata for ");
}

function conclude(
  ownEnd: OwnEnd,
  end: { readonly failure: string | null } | undefined,
  failed: (message: string) => Outcome,
): Outcome {
  if (ownEnd.kind === "signalled") return { kind: "crashed", detail: `killed by ${ownEnd.signal}` };
  const exit = ownEnd.kind === "exited" ? `exit ${ownEnd.code}` : "no exit";
  if (end === undefined) return { kind: "crashed", detail: `${exit} without a final event` };
  if (end.failure !== null) return failed(end.failure);
  return ownEnd.kind === "exited" && ownEnd.code !== 0 ? { kind: "crashed", detail: exit } : { kind: "ok" };
}

/** What is known about a failed turn besides its message. */
interface FailureContext {
  readonly now: Date;
  /** Whether the program warned that it does not know the model. */
  readonly modelUnknown: boolean;
}

/**
 * Decides the outcome by the message of `turn.failed`. Codex reports nothing else, but it is the program's own text about
 * its own failure: text of the model or of a tool never comes here.
 */
function concludeFailure(message: string, { now, modelUnknown }: FailureContext): Outcome {
  const detail = firstLine(message);
  if (/^You[’']ve hit your usage limit/.test(message)) return { kind: "limit", until: resetIn(message, now) };
  if (isTooLong(message)) return { kind: "context", detail };
  const status = statusIn(message);
  if (status === 429) return { kind: "limit", until: null };
  if (status === 401 || status === 403 || needsAPerson.test(message)) return { kind: "auth", detail };
  if ((status !== undefined && status >= 500) || passing.test(message)) return { kind: "overloaded", detail };
  // Only a person can name another model.
  if (modelUnknown || rejectsModel.test(message))
    return { kind: "misconfigured", detail: `the model is rejected: ${detail}` };
  return { kind: "crashed", detail };
}

function statusIn(message: string): number | undefined {
  const status = /^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b/.exec(message)?.[1];
  return status === undefined ? undefined : Number(status);
}

/** Answers with status 400 are passed on as the service wrote them. */
function isTooLong(message: string): boolean {
  const code = toText(toRecord(parseRecord(message)?.["error"])["code"]);
  return (
    code === "context_length_exceeded" || message.startsWith("Codex ran out of room in the model's context window")
  );
}

const needsAPerson =
  /^(?:Missing environment variable: |Quota exceeded\.|To use Codex with your ChatGPT plan|Your access token could not be refreshed|Your authentication session could not be refreshed)/;

const passing =
  /^(?:We[’']re currently experiencing high demand|Selected model is at capacity|Policy-restricted capacity is unavailable|Flex capacity unavailable|stream disconnected before completion|Connection failed|request timed out|workspace routing discovery failed)/;

const rejectsModel = /\bmodel\b.*\b(?:not found|does not exist|not supported)\b/i;

/**
 * Reads "try again at 9:35 PM" (today) or "at Nov 20th, 2026 9:35 PM", in the time zone of the program, which is ours. It
 * adds a minute, because the limit may end at any second of the named one.
 */
function resetIn(message: string, now: Date): string | null {
  const found = /try again at (?:([A-Z][a-z]{2}) (\d{1,2})[a-z]{2}, (\d{4}) )?(\d{1,2}):(\d{2}) (AM|PM)/i.exec(message);
  if (found === null) return null;
  const [, monthName, day, year, hour12, minute, half = ""] = found;
  const month = monthName === undefined ? now.getMonth() : months.indexOf(monthName);
  if (month === -1 || Number(hour12) > 12 || Number(minute) > 59) return null;
  const hour = (Number(hour12) % 12) + (half.toUpperCase() === "PM" ? 12 : 0);
  const date = [Number(year ?? now.getFullYear()), month, Number(day ?? now.getDate())] as const;
  return new Date(...date, hour, Number(minute) + 1).toISOString();
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
