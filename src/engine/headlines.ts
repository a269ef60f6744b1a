import type { EventOf, RunEvent } from "./events.ts";

/** Short names for what people want to know about a run that they are not watching. */
export const headlines = ["blocked", "asks", "waits", "limit", "done"] as const;

export type Headline = (typeof headlines)[number];

/** The short names of one event; most have none. */
export function headlinesOf(event: RunEvent): readonly Headline[] {
  if (event.type === "task-blocked") return event.kind === "reported-blocked" ? ["blocked", "asks"] : ["blocked"];
  if (event.type === "question") return ["asks"];
  if (event.type === "parked") return ofPark(event);
  return event.type === "run-finished" ? ["done"] : [];
}

/** A wait that ends by itself needs no person; nor does a run that has done what it was asked to do. */
function ofPark({ reason, until }: EventOf<"parked">): Headline[] {
  const waits = until === null && reason !== "rest";
  return [...(reason === "limit" ? (["limit"] as const) : []), ...(waits ? (["waits"] as const) : [])];
}
