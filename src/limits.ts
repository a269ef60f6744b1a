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
  /** All files of a plan together are held in memory; no plan that a person can review comes near this. */
  planBytesMax: 100_000_000,
  /** A few aliases to one large list already multiply its size; what they add together stays below this. */
  yamlAliasedNodesMax: 10_000,
  /** Composing is slow on dense punctuation; far fewer tokens fill any plan a person can review. */
  yamlTokensMax: 100_000,
  /** Longer waits cannot be told to a timer: 2^31 ms are 24.8 days. */
  durationMsMax: 24 * 24 * 3_600_000,
  /** Suggestions compare with every id; after this many, the author has a renamed folder, not typing mistakes. */
  suggestionsMax: 50,
  /** Longer names are compared by prefix only, so that a huge list cannot stall lint. */
  nearestCharsMax: 64,
  /** Longer paths are refused everywhere: no project has them, and matching time grows with a power of the length. */
  pathCharsMax: 1000,
  /** No file system in use has longer names. */
  pathSegmentCharsMax: 255,
  /** Alternatives one glob may expand to; beyond it a "brace bomb" is meant, not a file list. */
  globAlternativesMax: 64,
  /** Wildcards which can trade characters with each other; every further one multiplies the time of a failing match. */
  globWildcardsMax: 3,
  /** Stars in one name, which trade with each other most of all. */
  globStarsMax: 3,
  /** Each group in parentheses multiplies the ways to fail, like a wildcard. */
  globGroupsMax: 2,
  /** One journal line holds at most one event with the tail of a check's output, or the list of all tasks. */
  journalLineBytesMax: 32_000_000,
  /** Deeper values are a cycle or a mistake, and would overflow the stack of JSON.stringify. */
  journalEventDepthMax: 64,
  /** `flock -n` does not wait, so this only bounds a machine that hangs. */
  flockMsMax: 30_000,
  /** What is kept of one check's output: enough to see the failure, small enough for a prompt and a journal line. */
  checkOutputTailBytesMax: 16_000,
  /** How much of one session's output is kept on disk; the middle beyond it is dropped. */
  agentOutputBytesMax: 20_000_000,
  /** One event of an agent's protocol, which may quote a whole file; a longer line is dropped, never held in memory. */
  agentLineBytesMax: 8_000_000,
  /** After its last word an agent may still save its session; one that hangs then is ended, and the checks decide. */
  finalGraceMs: 10_000,
  /** A report is a few sentences; the outbox is written by an agent and read by us. */
  outboxFileBytesMax: 1_000_000,
  /** After a process has exited, how long its pipes may still deliver what it wrote. */
  outputDrainMs: 250,
  /** Between two rungs of the stop ladder INT, TERM, KILL. */
  stopLadderStepMs: 2_000,
  /** Between two looks for leftovers; killed processes need a moment to disappear, and every session waits for this. */
  leftoverLookMs: 5,
  /** A process in an uninterruptible wait (a dead network disk) outlives KILL; the caller must hear of it, not wait for ever. */
  unkillableMsMax: 10_000,
  /** A check without its own timeout. */
  checkTimeoutMs: 600_000,
  /** A file a person would look into with `contains`; larger ones are red, never read whole. */
  containsFileBytesMax: 20_000_000,
  /** No answer we ask git for is larger; more would exhaust memory. */
  gitStdoutBytesMax: 1_000_000_000,
  /** Git holds a file it hashes in memory; no source file comes near this, and a sparse one of 1 TB would never be done. */
  candidateFileBytesMax: 500_000_000,
  /** Messages of git are lines; a flood of them helps nobody. */
  gitStderrBytesMax: 256_000,
  /** A longer difference is not read on a terminal. */
  diffShownBytesMax: 200_000,
  /** Enough to see why a check failed without scrolling; the attempt's folder has the rest. */
  checkLinesShownMax: 20,
  /** How late a wait may end after the machine was suspended. */
  clockLookMs: 30_000,
  /** Programs of one folder of PATH that are looked at for where they lead; more are no folder of programs. */
  searchFolderEntriesMax: 20_000,
  /** What a room can put into /tmp, which is memory; builds that need more have their workspace. */
  roomTmpBytesMax: 2_000_000_000,
  /** Starting a sandbox takes milliseconds; a machine on which it hangs has none. */
  sandboxProbeMsMax: 20_000,
  /** Results of set-up that are kept per repository: a few versions of its lock file, on a few branches. */
  setupCacheEntriesMax: 8,
  /** And all of them together, so that large dependencies do not fill a disk. */
  setupCacheBytesMax: 20_000_000_000,
  /** Asking a few programs for their versions. */
  toolVersionsMs: 60_000,
  /** Installing dependencies of a large project over a slow network. */
  setupTimeoutMs: 1_800_000,
  /** Files of a diff named in one message; the verdict holds all. */
  pathsNamedMax: 10,
  /** Paths and violations kept in one event; an agent that touches more has failed all the same. */
  pathsJournaledMax: 200,
  /** Conflicts with other tasks are free, but not for ever. */
  conflictsPerTaskMax: 3,
  /** Waits after a usage limit with no reset time known; when they are used up, a person is needed. */
  limitBackoffMs: [60_000, 300_000, 900_000, 1_800_000, 3_600_000] as readonly number[],
  /** setTimeout overflows beyond 2^31-1 ms and fires at once; longer waits are split. */
  timerMsMax: 2_000_000_000,
} as const;
