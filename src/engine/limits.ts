/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const engineLimits = {
  /** What `status` shows of a question: all files that one may ask for, with the reasons. */
  questionCharsMax: 10_000,
  /** Sessions of a judge that may leave no judgement on one question; two in a row are no accident, and a person has to look. */
  judgeSilencesMax: 2,
  /** Conflicts with other tasks are free, but not for ever. */
  conflictsPerTaskMax: 3,
  /** A task that mended a regression twice and made another is not understood; a person has to look. */
  reopensPerTaskMax: 2,
  /** Trees of which green checks are remembered: those of the train and of the last tips; older ones never come back. */
  treesRememberedMax: 64,
  /** Waits after a usage limit with no reset time known; when they are used up, a person is needed. */
  limitBackoffMs: [60_000, 300_000, 900_000, 1_800_000, 3_600_000] as readonly number[],
} as const;
