import type { Outcome } from "../driver-kit/agent.ts";
import type { Ear } from "../driver-kit/dialect.ts";
import { firstLine, type Json, toRecord, toText } from "../driver-kit/json.ts";
import { lastWordsIn, type OwnEnd } from "../driver-kit/session.ts";
import { eventsOf } from "../driver-kit/transcript.ts";
import { type Models, modelsOf, readGemini, usageOf } from "./transcript.ts";

/** Interprets the output of Gemini CLI with `-o stream-json`. */
export function listenToGemini(): Ear {
  let sessionId: string | null = null;
  let asked = "";
  let complaint = "";
  let result: Json | undefined;
  const read = readGemini();
  return {
    hear: (line) => {
      switch (line["type"]) {
        case "init":
          sessionId = toText(line["session_id"]) || null;
          asked = toText(line["model"]);
          break;
        case "error":
          complaint = toText(line["message"]);
          break;
        case "result":
          result = line;
          break;
        default:
      }
      return eventsOf(read(line));
    },
    isFinal: () => result !== undefined,
    conclude: (end) => concludeGemini(end, { result, complaint, asked }),
    usage: () => (result === undefined ? null : usageOf(result)),
    sessionId: () => sessionId,
  };
}

/** Whether another model answered: for some it falls back to others by itself, and calls that a success. */
function fellBack(asked: string, { tried, answered }: Models): boolean {
  return tried.includes(asked) && !answered.includes(asked) && answered.length > 0;
}

interface Heard {
  readonly result: Json | undefined;
  readonly complaint: string;
  readonly asked: string;
}

function concludeGemini(end: OwnEnd, { result, complaint, asked }: Heard): Outcome {
  const error = toRecord(result?.["error"]);
  const message = toText(error["message"]) || complaint;
  if (end.kind === "signalled") return { kind: "crashed", detail: `killed by ${end.signal}` };
  const code = end.kind === "exited" ? end.code : 0;
  if (code === 0 && result?.["status"] === "success") {
    const models = modelsOf(result);
    if (!fellBack(asked, models)) return { kind: "ok" };
    return { kind: "crashed", detail: `the model ${asked} did not answer, but ${models.answered.join(", ")} did` };
  }
  const detail = `${how(end, result)}${message === "" ? "" : `: ${firstLine(message)}`}`;
  if (code === 0) return { kind: blockedAnswers.get(message) ?? "crashed", detail };
  if (code === notLoggedIn) return { kind: "auth", detail: lastWordsIn(end.tail ?? "") ?? detail };
  if (noModel.test(message)) return { kind: "misconfigured", detail };
  if (badKey.test(message)) return { kind: "auth", detail };
  const kind = kinds.get(code) ?? (message.startsWith(unreachable) ? "overloaded" : "crashed");
  return kind === "limit" ? { kind, until: resetOf(message, result?.["timestamp"]) } : { kind, detail };
}

function how(end: OwnEnd, result: Json | undefined): string {
  if (result === undefined) return end.kind === "exited" ? `exit ${end.code} without a result` : "no result";
  return end.kind === "exited" ? `exit ${end.code}` : "no exit after its result";
}

/** The program's own message where its service cannot be reached; its exit code is that of any other failure. */
const unreachable = "[API Error: exception TypeError: fetch failed";

/** The service's answer for a model it does not have, as the program passes it on; its exit code says nothing. */
const noModel = /^\[API Error: models\/\S+ is not found\b/;

/** The service's answer to a key that it does not know: its status is 400, as for any request that it cannot read. */
const badKey = /^\[API Error: (?:API key not valid\b|\{"error":\{"code":400,.*"reason":"API_KEY_INVALID")/s;

/** The program's own exit code where it has neither a login nor a key: it writes no event, but says on stderr what it lacks. */
const notLoggedIn = 41;

/** Outcomes by exit code: the lowest eight bits of the failed request's status. */
const kinds: ReadonlyMap<number, "auth" | "limit" | "overloaded" | "context"> = new Map([
  ...statuses("auth", [401, 403]),
  ...statuses("limit", [429]),
  ...statuses("overloaded", [500, 502, 503, 504, 529]),
  ...statuses("context", [413]),
]);

function statuses<Kind extends string>(kind: Kind, list: readonly number[]): [number, Kind][] {
  return list.map((status) => [status % 256, kind]);
}

/** The program's own messages for answers that were cut off; they come with status "error" and exit 0. */
const blockedAnswers: ReadonlyMap<string, "refused" | "context"> = new Map([
  ["The model response was blocked due to safety settings.", "refused"],
  ["The model response was blocked due to recitation/copyright filters.", "refused"],
  ["The model response was blocked due to other policy settings.", "refused"],
  [
    "Model response was truncated because it exceeded the token limit. Try using /compress to free up context space.",
    "context",
  ],
]);

/** Reads the service's `retryDelay`, which the program adds to the message of an error 429. */
function resetOf(message: string, timestamp: unknown): string | null {
  const delay = /^Suggested retry after (\d{1,9}(?:\.\d{1,9})?)s\.\]?$/m.exec(message)?.[1];
  const reset = new Date(Date.parse(toText(timestamp)) + Number(delay) * 1000);
  return Number.isNaN(reset.getTime()) ? null : reset.toISOString();
}
