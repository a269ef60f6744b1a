/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const cliLimits = {
  /** Of a critical path shown in one line: its beginning and its end tell where to look. */
  criticalPathShownMax: 8,
  /** What a run shows of agents' notices; one that floods them must not push everything else off the screen. */
  agentNoticesShownMax: 200,
  /** Enough to see why a check failed without scrolling; the attempt's folder has the rest. */
  checkLinesShownMax: 20,
  /** Tasks of which each has a line of its own in the picture of the waves; more do not fit a screen. */
  wavesTasksShownMax: 40,
  /** Lines of the picture where waves are folded to counts. */
  wavesLinesMax: 30,
  /** Between two redraws of the view: more often is not calm, and costs. */
  viewRedrawMs: 250,
  /** A lone Esc is one after this time; what terminals send for other keys begins alike and follows at once. */
  viewEscapeMs: 50,
  /** How long a word about what was just typed stays. */
  viewNoticeMs: 6_000,
  /** Of a section of the view: nobody chooses among more, and a redraw must cost the same with ten thousand tasks. */
  viewRowsMax: 100,
  /** Tasks looked at to say who comes next: those behind one task may be thousands. */
  viewNextLooksMax: 200,
  /** Of the lines that the log of the view holds; `stint log` prints all. */
  viewLogLinesMax: 2_000,
  /** Of the output that it shows. */
  viewLogTailBytes: 64_000,
  /** What came up while the view was there and is said after it. */
  viewWarningsMax: 200,
  /** Of one changed file in the review of a revision; `s <file>` shows all of it. */
  revisionFileLinesMax: 60,
  /** Of a person's edit of a draft, as it is told to the planner and kept in the journal; a whole file fits. */
  editWordsCharsMax: 100_000,
  /** Problems of a draft listed while a planning goes on; the review and the planner get all. */
  draftProblemsShownMax: 10,
  /** What was typed before a question was asked arrives at once; this is long enough to let it. */
  typedAheadMs: 30,
  /** Between two pictures of the line that says what a planning is doing; it tells minutes. */
  planningTickMs: 5_000,
  /** Of a goal or the words of a revision: they stand in every prompt; what is longer is a document for --input. */
  goalCharsMax: 10_000,
  /** A map that is larger than what models read at once is a copy of the repository. */
  mapTokensMax: 200_000,
} as const;
