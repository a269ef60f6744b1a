/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const reportLimits = {
  /** Lines of evidence for one failed attempt in a report; the log has everything that the journal has. */
  reportEvidenceLinesMax: 40,
  /** Lines of the output of one failed check there: its end says why. */
  reportTailLinesMax: 10,
  /** The size of a whole report as Markdown that people and their programs can still open. Each long part has a share. */
  reportCharsMax: 4_000_000,
  /** The length of one foreign text in a report: the first sentences are enough. */
  reportTextCharsMax: 2_000,
  /** The length of a title or a reason in a table, which has one line for each task. */
  reportCellCharsMax: 120,
  /** Rows of a timeline; a machine runs fewer agents at once, and a picture of more has no use. */
  timelineLanesMax: 24,
  /** The size of what a planner sees of tasks that could not be done; it has to fit a session next to the plan. */
  revisionEvidenceCharsMax: 200_000,
  /** The latest verdicts and reports of one such task: earlier ones say the same. */
  revisionAttemptsShownMax: 8,
} as const;
