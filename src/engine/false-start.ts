import { engineLimits } from "./limits.ts";
import type { Outcome, ProgramFacts } from "./session.ts";

/** How a session ended, as far as a false start shows in it. */
export interface SessionCourse {
  readonly outcome: Outcome;
  readonly program?: ProgramFacts | undefined;
  /** The agent's name in the settings. */
  readonly agent?: string | undefined;
}

/**
 * Returns the words of a program that failed within seconds, before any tool call; null where it did not. Its task has no
 * part in such a failure: if the next session fails with the same words, the machine, the network or the agent's set-up is
 * to blame.
 */
export function falseStartIn({ outcome, program }: SessionCourse): string | null {
  if (outcome.kind !== "crashed" || program === undefined || program.usedTools) return null;
  return program.durationMs <= engineLimits.falseStartMsMax ? wordsOf(outcome.detail, program) : null;
}

/** Returns the reason of a failure with what the program printed last, where that is not part of it. */
export function wordsOf(detail: string, program: ProgramFacts | undefined): string {
  return program?.lastWords === undefined ? detail : `${detail}: ${program.lastWords}`;
}

/** Whether two failures are the same but for ids, ports, times and counts. */
export function isSameFailure(words: string, before: string | null): boolean {
  return before !== null && essence(words) === essence(before);
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

/** Says that an agent's program does not work, and in its own words why. */
export function whyFalseStarts(course: SessionCourse, words: string): string {
  return `${nameOf(course)} failed twice within seconds, before any tool call: ${words}`;
}

/** Names an agent with its version, where that is known. */
export function nameOf({ agent, program }: SessionCourse): string {
  return [agent ?? "the agent", program?.version].filter((part) => part !== undefined).join(" ");
}

/** Says how a person finds out why a program does not work. */
export function cureOfFalseStarts({ program }: SessionCourse): string {
  const attempt = program?.tryWith === undefined ? "Run its program yourself" : `Try \`${program.tryWith}\` yourself`;
  return `${attempt}, check the network and \`stint doctor\``;
}
