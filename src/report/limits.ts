/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const reportLimits = {
  /** Of what proves that one attempt failed, in a report; the log has all that the journal has. */
  reportEvidenceLinesMax: 40,
  /** Of the output of one red check there: its end says why. */
  reportTailLinesMax: 10,
  /** Of a report as Markdown, in all: what people and their programs still open. Each of its long parts has a share. */
  reportCharsMax: 4_000_000,
  /** Of one text of others in a report: the first sentences tell. */
  reportTextCharsMax: 2_000,
  /** Of a title or a reason in a table, which has one line for each task. */
  reportCellCharsMax: 120,
  /** Rows of a timeline; a machine runs fewer agents at once, and a picture of more has no use. */
  timelineLanesMax: 24,
  /** Of all that a planner is shown of tasks that could not be done; it has to fit a session beside the plan. */
  revisionEvidenceCharsMax: 200_000,
  /** Verdicts and reports of one such task, the latest: the ones before say the same. */
  revisionAttemptsShownMax: 8,
} as const;
