/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const planLimits = {
  /** A plan document is read by people; anything larger is not a plan and would stall the YAML parser. */
  planFileBytesMax: 1_000_000,
  /** A plan of more files cannot be reviewed, and listing must end. */
  planFilesMax: 20_000,
  /** What `git log --oneline` shows of a subject on a narrow terminal; the goal itself is in the plan. */
  quickTitleCharsMax: 72,
  /** A goal's words become part of the name of a plan, a branch and a run, which has at most 64 characters with the hash. */
  quickSlugCharsMax: 40,
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
  /** Timers cannot wait longer: 2^31 ms are 24.8 days. */
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
  /** A longer task is more than an agent carries out with care in an hour; lint warns. */
  taskLinesGood: 300,
  /** A task that names more is several tasks; lint warns. */
  taskFilesGood: 12,
  /** Warnings of one kind; more of them mean one habit to change, not a list to work through. */
  warningsOfAKindMax: 20,
  /** Pairs of a task that claims a folder and one that claims something in it; beyond it the search stops. */
  sharedPairsMax: 1_000_000,
  /** Tasks, and files, named in one warning about files that tasks share. */
  sharedNamedMax: 3,
  /** One source document; services take no image or document near this. */
  inputFileBytesMax: 10_000_000,
  /** A check without its own timeout. */
  checkTimeoutMs: 600_000,
  /** One line of evidence in a verdict, which has to fit into a message. */
  evidenceLineCharsMax: 200,
  /** The longest script or recipe that is read as a command line; people do not write longer ones by hand. */
  commandLineCharsMax: 10_000,
  /** Files that a task's globs are written out to in the journal; a task with more claims their whole folder. */
  claimedPathsMax: 2_000,
  /** All tasks together: their claims are one journal line, which must stay far below its own bound. */
  claimedPathsOfAllMax: 100_000,
} as const;
