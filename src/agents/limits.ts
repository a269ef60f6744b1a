/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const agentsLimits = {
  /** Tool calls that have started and not ended; an agent has a handful at once. */
  agentCallsOpenMax: 1_000,
  /** Characters of our answers to one session; an agent that asks more does not read them, and they would fill memory. */
  agentAnswersCharsMax: 10_000_000,
  /** The length of a request id, which the answer repeats; real ones are numbers or UUIDs. */
  agentRequestIdCharsMax: 1_000,
  /** The size of an image, which is in memory and sent as text; services reject larger ones. */
  imageBytesMax: 20_000_000,
  /** The size of a repository's instructions, cut like an agent's program does; they are in every request it makes. */
  repoInstructionsBytesMax: 32_768,
  /** Messages of an agent that may still get another part; a few are open at once, one for each of its helpers. */
  agentMessagesOpenMax: 1_000,
  /** The length of a tool's arguments as shown: enough to see what is happening. */
  agentToolDetailCharsMax: 300,
  /** The length of a program's last words: a long line, not a page. */
  lastWordsCharsMax: 300,
  /** How soon a program fails that never began to work: a cold start over a slow network takes seconds, a first tool call rarely more. */
  falseStartMsMax: 30_000,
  /** The length of a command or path of a call that has not ended; it is kept until then. */
  agentCallCharsMax: 2_000,
  /** The length of a file that such a call writes, for its diff; that of a longer one is not shown. */
  agentFileKeptCharsMax: 20_000,
  /** A report is a few sentences; the outbox is written by an agent and read by us. */
  outboxFileBytesMax: 1_000_000,
  /** Files that one report may ask for; a person has to read them all, and a task that needs more should be split. */
  neededFilesMax: 20,
  /** The length of a judge's reason: the next attempt gets it, and pays for it with every turn. */
  judgementCharsMax: 4_000,
  /** Agents renew a login five minutes before it ends; a minute more, because a session needs time to get that far. */
  loginExpiryMarginMs: 360_000,
  /** A session contacts its service within seconds; one that has not renewed a login by then will not. */
  loginRenewalMsMax: 120_000,
  /** The time between two looks at a login that another session renews; each look starts `flock` once. */
  loginLookMs: 1_000,
  /** The time between two looks at what a session has used; a crash of Stint loses at most the reports of this time. */
  usageLookMs: 1_000,
  /** A session reports most usage at its end; one that ends by itself this soon after a cap was reached keeps its work. */
  budgetGraceMs: 2_000,
} as const;
