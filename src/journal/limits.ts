/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const journalLimits = {
  /** One journal line has at most one event with the tail of a check's output, or the list of all tasks. */
  journalLineBytesMax: 32_000_000,
  /** Deeper values are a cycle or a mistake, and would overflow the stack of JSON.stringify. */
  journalEventDepthMax: 64,
  /** `flock -n` does not wait, so this only bounds a machine that hangs. */
  flockMsMax: 30_000,
} as const;
