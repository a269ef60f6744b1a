/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const runLimits = {
  /** The goal of a `stint do` in a trailer of its commit, which people read in `git log`. */
  goalTrailerCharsMax: 1_000,
  /** Git quotes paths whole, and an agent can make one of any length; what is wrong with it is in the first words or the last name. */
  problemCharsMax: 500,
  /** Commits of a run take seconds; a long history that was never pushed takes minutes on a slow line. */
  pushMsMax: 600_000,
  /** Waits between tries of a push: a network that comes back soon is waited for, but a finished run is not held up long. */
  pushBackoffMs: [2_000, 10_000, 30_000] as readonly number[],
  /** The time between two writes of progress.md. Nobody reads faster, and each write costs an fsync. */
  progressMs: 1_000,
  /** And never more than this share of the time, however many tasks there are to list. */
  progressShareMax: 0.02,
  /** Paths and violations kept in one event; an agent that touches more has failed all the same. */
  pathsJournaledMax: 200,
  /** How much of the last attempt's diff a planner gets: the beginning shows its direction. */
  revisionWorkBytesMax: 20_000,
  /** A command is a few words, or an answer of some pages. */
  commandBytesMax: 100_000,
  /** Files of the folder of commands that are looked at once; persons send a few. */
  commandFilesMax: 100,
  /** The time between two notes of what agents do, for other terminals; people do not read faster. */
  activityNoteMs: 1_000,
  /** How much of an agent's last line is shown: what fits on a wide terminal. */
  activityLineCharsMax: 400,
  /** How much of the end of an agent's output is searched for its last line. */
  activityTailBytes: 4_096,
  /** How many lines from the end say how far a runner is: more would find what an earlier step of the command said. */
  progressLinesMax: 20,
  /** Even the note of the highest `--parallel` stays below this; a larger file is not one of ours. */
  activityBytesMax: 16_000_000,
  /** The longest diff on the page of a revision: the largest plan against another one as large. */
  revisionShownBytesMax: 20_000_000,
} as const;
