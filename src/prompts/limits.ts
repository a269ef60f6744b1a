/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const promptsLimits = {
  /** Tasks before and after its own that a prompt names, so that it does not grow with the plan. */
  neighboursMax: 20,
  /** The longest part of one dependency's notes in the prompt, which every turn pays for; the inbox has all of them. */
  noteCharsMax: 4_000,
  /** Failed checks whose output a prompt contains; fixing the first few usually fixes the rest. */
  tailsMax: 5,
  /** Source documents in the inbox of one task; an agent cannot read more in an hour. */
  inputFilesMax: 100,
  /** All source documents of one task together, which are in memory while they are copied. */
  inputBytesMax: 50_000_000,
  /** The latest answers, which a prompt contains; the inbox has all. */
  answersMax: 5,
  /** The part of a change that a judge gets as a file; it reads the rest in the workspace. */
  judgedDiffBytesMax: 2_000_000,
} as const;
