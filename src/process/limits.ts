/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const processLimits = {
  /** How much of one check's output is kept: enough to see the failure, small enough for a prompt and a journal line. */
  checkOutputTailBytesMax: 16_000,
  /** How much of one session's output is kept on disk; the middle beyond it is dropped. */
  agentOutputBytesMax: 20_000_000,
  /** One event of an agent's protocol, which may quote a whole file; a longer line is dropped, never held in memory. */
  agentLineBytesMax: 8_000_000,
  /** Share of one core: an agent that only waits for its service still polls (5 % was measured); work takes more. */
  idleProcessorShareMax: 0.1,
  /** The unit of processor times in /proc: Linux reports 100 ticks a second, whatever its own clock. */
  clockTickMs: 10,
  /** Input that an agent does not read waits in memory; with more than this the agent counts as stuck. */
  unreadInputBytesMax: 64_000_000,
  /** Processes of one session at a time; a parallel build of a large project stays far below, a fork bomb does not. */
  processesMax: 1_000,
  /** Threads take numbers like processes, of which many machines have 32,768 in all. */
  threadsMax: 10_000,
  /** The limit for all sessions together, so that the rest of the machine keeps some. */
  threadsOfAllMax: 20_000,
  /** The share of the machine's memory for one session: beyond it, the kernel would soon kill processes of its own choice. */
  memoryShareMax: 0.75,
  /** How much one session may write: a large build with its dependencies several times over. */
  diskBytesMax: 20_000_000_000,
  /** The journal and the user's other programs must be able to keep writing. */
  diskFreeBytesMin: 1_000_000_000,
  /** The time between two counts of a session's files, which take seconds if there are many. */
  diskCountMs: 30_000,
  /** No project has so many files; counting must end. */
  diskEntriesMax: 2_000_000,
  /** The time between two readings of a session's processes: a table of a thousand takes some ten milliseconds. */
  sessionLookMs: 1_000,
  /** The time between two readings of the machine's number of processes, which is one short line: a fork bomb doubles within milliseconds. */
  forkLookMs: 100,
  /** After it has reported its end an agent may still save its session; one that hangs then is ended, and the checks decide. */
  finalGraceMs: 10_000,
  /** The time between the signals INT, TERM and KILL when a session is stopped. */
  stopLadderStepMs: 2_000,
  /** The time between two searches for leftovers; killed processes need a moment to disappear, and every session waits for this. */
  leftoverLookMs: 5,
  /** A process in an uninterruptible wait (a dead network disk) outlives KILL; the caller must learn of it instead of waiting for ever. */
  unkillableMsMax: 10_000,
  /** With less free space, not even a journal and one workspace are sure to fit. */
  diskFreeBytesUsable: 100_000_000,
  /** The same in number of files: one workspace of a small project. */
  diskFreeFilesUsable: 1_000,
  /** setTimeout overflows beyond 2^31-1 ms and fires at once; longer waits are split. */
  timerMsMax: 2_000_000_000,
  /** The first line of a script: Linux reads 256 bytes of it. */
  shebangBytesMax: 256,
} as const;
