import { firstLine, type Json, toRecord, toText } from "../driver-kit/json.ts";
import type { EventReader, TranscriptEntry } from "../driver-kit/transcript.ts";
import { followUpdates } from "./updates.ts";

/** Reads what an agent said and did from its half of a conversation over ACP. */
export function readAcp(): EventReader {
  const updates = followUpdates();
  return (message) => {
    const params = toRecord(message["params"]);
    if (message["method"] === "session/update") return updates.hear(toRecord(params["update"]));
    if (message["method"] === "session/request_permission") return updates.asked(toRecord(params["toolCall"]));
    const answer = toRecord(message["result"]);
    if ("stopReason" in answer) return ending(answer, updates.finish(answer));
    const error = firstLine(toText(toRecord(message["error"])["message"]));
    return error === "" ? [] : [{ type: "notice", tone: "error", text: error }];
  };
}

function ending({ stopReason }: Json, usage: ReturnType<ReturnType<typeof followUpdates>["usage"]>): TranscriptEntry[] {
  const isOdd = stopReason !== "end_turn" && typeof stopReason === "string";
  return [
    ...(isOdd ? [{ type: "notice", tone: "error", text: `stopped: ${stopReason}` } as const] : []),
    ...(usage === null ? [] : [{ type: "usage", usage } as const]),
  ];
}
