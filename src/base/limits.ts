/** Bounds that several folders share. */
export const baseLimits = {
  /** A disk with less free space counts as full: undoing a failed write seldom frees more than this. */
  diskFullBytes: 1_000_000,
  /** A disk with fewer free inodes counts as full: a program that failed often removes a few files of its own. */
  diskFullInodes: 16,
  /** How long the pipes of a process may still deliver output after it has exited. */
  outputDrainMs: 250,
  /** The length of a line of captured output that people are shown: it may be a whole file, and the log has all of it. */
  readableLineCharsMax: 500,
  /** Pairs of lines compared for a text diff, 16 MB of numbers: two texts of 2,000 lines that share none. */
  textDiffCellsMax: 4_000_000,
} as const;
