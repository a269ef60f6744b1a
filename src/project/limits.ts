/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const projectLimits = {
  /** The user's own instructions and prompts; what is larger was not written for an agent to read. */
  userFileBytesMax: 1_000_000,
  /** How late a wait may end after the machine was suspended. */
  clockLookMs: 30_000,
  /** How many runs are listed when a run does not exist; the newest are meant most often. */
  runsNamedMax: 10,
  /** How long a command from another terminal may wait to be accepted; a driver takes it within milliseconds. */
  commandWaitMs: 10_000,
  /** The time between two looks for commands and their answers where the file system reports no change; each look of a sender starts `flock` once. */
  commandLookMs: 250,
  /** Up to here, the plans are listed for a name that none has; of more, only the nearest is named. */
  plansNamedMax: 8,
  /** How many files beside the plans are said to be none: more are hardly meant as plans. */
  noPlansNamedMax: 3,
  /** A checkpoint is written when this much of a journal had to be folded: it takes about half as long as starting Node. */
  checkpointBytesMin: 500_000,
  /** A journal is hashed in pieces that stay in the processor's cache. */
  hashedPieceBytes: 1_000_000,
} as const;
