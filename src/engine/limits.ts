/** The bounds of this folder. Each has its unit in the name and its reason beside it. */
export const engineLimits = {
  /** How much `status` shows of a question: enough for all files that one may ask for, with the reasons. */
  questionCharsMax: 10_000,
  /** How many sessions of a judge may leave no judgement on one question. Two are no accident, and a person has to look. */
  judgeSilencesMax: 2,
  /** Conflicts with other tasks do not count as attempts, but must not be repeated forever. */
  conflictsPerTaskMax: 3,
  /** A task that fixed a regression twice and caused another one needs a person to look at it. */
  reopensPerTaskMax: 2,
  /** How many trees keep their green checks: those of the train and of the last tips. Older trees never come back. */
  treesRememberedMax: 64,
  /** The waits after a usage limit without a known reset time; when they are used up, a person is needed. */
  limitBackoffMs: [60_000, 300_000, 900_000, 1_800_000, 3_600_000] as readonly number[],
} as const;
