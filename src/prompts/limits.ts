/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const promptsLimits = {
  /** Tasks before and after its own that a prompt names, so that it does not grow with the plan. */
  neighboursToldMax: 20,
  /** Of one dependency's notes in the prompt, which is paid for with every turn; the inbox holds them whole. */
  noteCharsMax: 4_000,
  /** Failing checks of which a prompt holds the output; whoever mends the first few has usually mended the rest. */
  tailsToldMax: 5,
  /** Source documents of one task that are put into its inbox; an agent cannot read more in an hour. */
  inputFilesMax: 100,
  /** All source documents of one task, which are held in memory while they are handed over. */
  inputBytesMax: 50_000_000,
  /** Answers that a prompt holds, the last ones; the inbox has all. */
  answersToldMax: 5,
  /** Of a change as a judge gets it; a longer one is read in the workspace. */
  judgedDiffBytesMax: 2_000_000,
} as const;
