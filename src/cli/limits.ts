/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const cliLimits = {
  /** Uncommitted files named in the line that says they are not part of a run; `git status` has all. */
  uncommittedShownMax: 3,
  /** Tasks of a critical path shown in one line: its beginning and end say where to look. */
  criticalPathShownMax: 8,
  /** Notices of agents that a run shows; a flood of them must not push everything else off the screen. */
  agentNoticesShownMax: 200,
  /** Enough to see why a check failed without scrolling; the attempt's folder has the rest. */
  checkLinesShownMax: 20,
  /** The same for a check that is red as it should be: enough to see that it is red for the right reason. */
  expectedRedLinesShownMax: 3,
  /** Of a failed set-up, the first lines that are among those shown. */
  setupHeadLinesShown: 5,
  /** Tasks that each get a line in the graph of the waves; more do not fit a screen. */
  wavesTasksShownMax: 40,
  /** Lines of the graph if waves are folded to counts. */
  wavesLinesMax: 30,
  /** The time between two redraws of the view: more often would flicker and cost. */
  viewRedrawMs: 250,
  /** After this time an Esc counts as a key of its own; other keys start with the same byte, and the rest follows at once. */
  viewEscapeMs: 50,
  /** How long a message about what was just typed stays. */
  viewNoticeMs: 6_000,
  /** Rows of a section of the view: nobody selects among more, and a redraw must cost the same with ten thousand tasks. */
  viewRowsMax: 100,
  /** Tasks examined to find the next ones: thousands may depend on one task. */
  viewNextLooksMax: 200,
  /** Lines in the log page of the view; `stint log` prints all. */
  viewLogLinesMax: 2_000,
  /** The end of each session's output that it reads; a page of a transcript takes about ten thousand bytes. */
  viewLogTailBytes: 500_000,
  /** Lines of a call's output in a transcript: its beginning says what it is, its end how it went. */
  transcriptFold: { first: 4, last: 4 },
  /** The same where the call failed: the reason is usually near the end. */
  transcriptFoldBad: { first: 4, last: 16 },
  /** Lines of a diff in a transcript; the commit has all. */
  transcriptFoldDiff: { first: 40, last: 0 },
  /** Lines of one thought in a transcript. */
  transcriptThoughtLinesMax: 3,
  /** The length of a line in a transcript, except of what is said: a line of output may be a whole file. */
  transcriptLineCharsMax: 1_000,
  /** Calls of a transcript that wait for their result; an agent has a handful at once. */
  transcriptCallsMax: 1_000,
  /** The time between two looks at the output of sessions that are followed. */
  transcriptLookMs: 250,
  /** Warnings kept while the view is open and printed after it. */
  viewWarningsMax: 200,
  /** Lines of one changed file in the review of a revision; `s <file>` shows all of it. */
  revisionFileLinesMax: 60,
  /** The size of a person's edit of a draft, as the planner gets it and the journal keeps it; a whole file fits. */
  editWordsCharsMax: 100_000,
  /** Problems of a draft listed during a planning session; the review and the planner get all. */
  draftProblemsShownMax: 10,
  /** What was typed before a question was asked arrives at once; this is long enough to let it. */
  typedAheadMs: 30,
  /** The time between two redraws of the line that shows what is running; its clock counts seconds. */
  tickMs: 1_000,
  /** The time between two lines about a command or planner that is still running, where nothing can be redrawn. */
  beatMs: 30_000,
  /** The same for an agent at work, which may take an hour, with others beside it. */
  sessionBeatMs: 300_000,
  /** How much of a command is shown with its clock and its output beside it. */
  runningNameCharsMax: 40,
  /** The length of a goal or of a requested revision: they are in every prompt; anything longer is a document for --input. */
  goalCharsMax: 10_000,
  /** A map that is larger than what models read at once is a copy of the repository. */
  mapTokensMax: 200_000,
  /** Lines are printed in blocks of at most this, which has at most 4,096 bytes: so much a pipe takes whole. */
  printedCharsMax: 1_300,
} as const;
