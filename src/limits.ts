/** Every bound of the product, with its unit in the name and the reason beside it. */
export const limits = {
  /** A plan document is read by people; anything larger is not a plan and would stall the YAML parser. */
  planFileBytesMax: 1_000_000,
  /** A plan of more files cannot be reviewed, and listing must end. */
  planFilesMax: 20_000,
  /** YAML aliases expand; a "bomb" needs many more than a person writes. */
  yamlAliasesMax: 100,
  /** Nesting beyond this is an attack on recursive parsers, not a document. */
  yamlDepthMax: 64,
  /** One journal line holds at most one event with the tail of a check's output, or the list of all tasks. */
  journalLineBytesMax: 32_000_000,
  /** What is kept of one check's output: enough to see the failure, small enough for a prompt and a journal line. */
  checkOutputTailBytesMax: 16_000,
  /** How much of one session's output is kept on disk; the middle beyond it is dropped. */
  agentOutputBytesMax: 20_000_000,
  /** A report is a few sentences; the outbox is written by an agent and read by us. */
  outboxFileBytesMax: 1_000_000,
  /** After a process has exited, how long its pipes may still deliver what it wrote. */
  outputDrainMs: 250,
  /** Between two rungs of the stop ladder INT, TERM, KILL. */
  stopLadderStepMs: 2_000,
  /** A check without its own timeout. */
  checkTimeoutMs: 600_000,
  /** Installing dependencies of a large project over a slow network. */
  setupTimeoutMs: 1_800_000,
  /** Files of a diff named in one message; the verdict holds all. */
  pathsNamedMax: 10,
  /** Conflicts with other tasks are free, but not for ever. */
  conflictsPerTaskMax: 3,
  /** Waits after a usage limit with no reset time known; when they are used up, a person is needed. */
  limitBackoffMs: [60_000, 300_000, 900_000, 1_800_000, 3_600_000] as readonly number[],
  /** setTimeout overflows beyond 2^31-1 ms and fires at once; longer waits are split. */
  timerMsMax: 2_000_000_000,
} as const;
