/** Bounds that several folders share. */
export const baseLimits = {
  /** With less left, what failed to write may have failed for that: what is given back when a failed write is undone is seldom more. */
  diskFullBytes: 1_000_000,
  /** Fewer are as good as none: what failed for want of them has often removed a file of its own since. */
  diskFullInodes: 16,
  /** After a process has exited, how long its pipes may still deliver what it wrote. */
  outputDrainMs: 250,
  /** Pairs of lines compared for a text diff, 16 MB of numbers: two texts of 2,000 lines that share none. */
  textDiffCellsMax: 4_000_000,
} as const;
