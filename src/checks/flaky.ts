import type { CheckEvidence } from "../engine/evidence.ts";

/** What two looks of one check at one tree show together: one that changed its mind is named, and its first output kept. */
export function seenAgain(before: CheckEvidence, now: CheckEvidence): CheckEvidence {
  // A room that could not be set up the second time says nothing new.
  if (now.state !== "green") return now.cause === undefined ? now : before;
  const why = `${before.state} at first (${before.why}), ${now.why} when it was run again on the same tree`;
  return { ...now, flaky: true, why, tail: before.tail };
}
