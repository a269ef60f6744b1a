import { wordsOf } from "../../engine/false-start.ts";
import type { Redactor } from "../../base/redact.ts";
import type { Outcome, ProgramFacts } from "./agent.ts";
import { agentsLimits } from "../limits.ts";

/** Adds to what is known of a program whether it made a false start, so that the journal says it once and for all. */
export function withFalseStart(outcome: Outcome, facts: ProgramFacts, redact?: Redactor): ProgramFacts {
  const { usedTools, durationMs } = facts;
  if (outcome.kind !== "crashed" || usedTools || durationMs > agentsLimits.falseStartMsMax) return facts;
  const words = wordsOf(outcome.detail, facts);
  // Secrets are removed first: they could not be recognised once a part of them is replaced.
  return { ...facts, falseStart: essence(redact?.text(words) ?? words) };
}

/** Keeps short numbers by themselves, because a status or an exit code makes another failure. */
function essence(words: string): string {
  return varying.reduce((text, pattern) => text.replaceAll(pattern, "#"), words);
}

const varying: readonly RegExp[] = [
  // Ids.
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi,
  // Files of this session only.
  /\/tmp\/[^\s:,'"`)]+/g,
  // Dates, times, addresses, places in a file.
  /\b\d+(?:[-:.,T]\d+)+Z?\b/g,
  // Counts and durations.
  /\b\d+(?:\.\d+)? ?(?:[mμn]?s|sec(?:ond)?s?|min(?:ute)?s?|[kKMG]i?B|bytes|tokens|%)(?!\w)/g,
  /\bpid[ :=]*\d+/gi,
  // Ports, and names with a number.
  /\b(?=\w*\d)\w{4,}\b/g,
];
