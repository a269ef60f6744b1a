import type { EventOf, RunEvent } from "./events.ts";

/** Short names for what people want to hear of a run they do not watch. */
export const headlines = ["blocked", "asks", "waits", "limit", "done"] as const;

/** One of them. */
export type Headline = (typeof headlines)[number];

/** The short names of one event; most have none. */
export function headlinesOf(event: RunEvent): readonly Headline[] {
  if (event.type === "task-blocked") return event.kind === "reported-blocked" ? ["blocked", "asks"] : ["blocked"];
  if (event.type === "question") return ["asks"];
  if (event.type === "parked") return ofPark(event);
  return event.type === "run-finished" ? ["done"] : [];
}

/** What ends by itself waits for nobody; nor does a run that has done what was asked of it. */
function ofPark({ reason, until }: EventOf<"parked">): Headline[] {
  const waits = until === null && reason !== "rest";
  return [...(reason === "limit" ? (["limit"] as const) : []), ...(waits ? (["waits"] as const) : [])];
}
