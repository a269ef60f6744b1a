import type { CheckEvidence } from "../engine/evidence.ts";

/** Sums up two runs of one check on one tree: one that changed its mind is called flaky, and its first output is kept. */
export function seenAgain(before: CheckEvidence, now: CheckEvidence): CheckEvidence {
  // A room that could not be set up the second time says nothing new.
  if (now.state !== "green") return now.cause === undefined ? now : before;
  const why = `${before.state} at first (${before.why}), ${now.why} when it was run again on the same tree`;
  return { ...now, flaky: true, why, tail: before.tail };
}
