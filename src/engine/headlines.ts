import type { EventOf, RunEvent, EventType } from "./events.ts";

/** These short names stand for what people want to know about a run that they are not watching. */
export const headlines = ["blocked", "asks", "waits", "limit", "done"] as const;

export type Headline = (typeof headlines)[number];

/** Lists the short names of one event; most have none. */
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

/** The types of events are a record, so that leaving one out is a compile error. */
const allTypes: Readonly<Record<EventType, true>> = {
  "plan-approved": true,
  "run-started": true,
  resumed: true,
  "journal-repaired": true,
  "attempt-started": true,
  baseline: true,
  "agent-started": true,
  "agent-finished": true,
  "work-rescued": true,
  "work-lost": true,
  "candidate-made": true,
  question: true,
  answered: true,
  "scope-decided": true,
  placed: true,
  "checks-passed": true,
  "judge-started": true,
  judged: true,
  verdict: true,
  integrating: true,
  "task-integrated": true,
  "replan-requested": true,
  "task-blocked": true,
  "task-requeued": true,
  "task-taken": true,
  "workspace-given": true,
  "task-submitted": true,
  pausing: true,
  paused: true,
  "command-ignored": true,
  published: true,
  "publish-deferred": true,
  pushed: true,
  "push-failed": true,
  parked: true,
  stopped: true,
  "final-verified": true,
  bisected: true,
  "task-reopened": true,
  "replan-started": true,
  "replan-proposed": true,
  "replan-failed": true,
  "revision-accepted": true,
  "plan-revised": true,
  "revision-dropped": true,
  "cap-raised": true,
  "run-finished": true,
};

/** Hooks can also ask for an event by its type; this lists them all. */
export const eventTypes = Object.keys(allTypes) as readonly EventType[];
