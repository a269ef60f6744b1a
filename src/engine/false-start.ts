import type { Outcome, ProgramFacts } from "./session.ts";

/** How a session ended, as far as a false start shows in it. */
export interface SessionCourse {
  readonly outcome: Outcome;
  readonly program?: ProgramFacts | undefined;
  /** The agent's name in the settings. */
  readonly agent?: string | undefined;
}

/**
 * Returns the false start that a session's event records; null where it records none. Its task has no part in such a
 * failure: if the next session fails the same way, the machine, the network or the agent's set-up is to blame.
 */
export function falseStartIn({ outcome, program }: SessionCourse): string | null {
  // What a cap ended in the meantime was no failure of the program.
  return outcome.kind === "crashed" ? (program?.falseStart ?? null) : null;
}

/** Returns the reason of a failure with what the program printed last, where that is not part of it. */
export function wordsOf(detail: string, program: ProgramFacts | undefined): string {
  return program?.lastWords === undefined ? detail : `${detail}: ${program.lastWords}`;
}

/** Says that an agent's program does not work, and in its own words why. */
export function whyFalseStarts(course: SessionCourse): string {
  const { outcome, program } = course;
  const words = wordsOf("detail" in outcome ? outcome.detail : "", program);
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
