/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const agentsLimits = {
  /** Calls of tools that began and whose end is awaited; an agent has a handful at once. */
  agentCallsOpenMax: 1_000,
  /** What we answer to requests of one session; an agent that asks more does not read, and we would hold the answers. */
  agentAnswersCharsMax: 10_000_000,
  /** An id is given back in the answer; real ones are numbers or UUIDs. */
  agentRequestIdCharsMax: 1_000,
  /** An image is held in memory and sent as text; services refuse larger ones. */
  imageBytesMax: 20_000_000,
  /** Instructions beyond this are cut where an agent's program does the same; they are in every request it makes. */
  repoInstructionsBytesMax: 32_768,
  /** Messages of an agent that may still get a further part; a few are open at once, one for each of its helpers. */
  agentMessagesOpenMax: 1_000,
  /** What an observer sees of a tool's arguments: enough to know what goes on. */
  agentToolDetailCharsMax: 300,
  /** A report is a few sentences; the outbox is written by an agent and read by us. */
  outboxFileBytesMax: 1_000_000,
  /** Files that one report may ask for; a person has to read them all, and a task that needs more is another task. */
  neededFilesMax: 20,
  /** Of a judge's reason: it is told to the next attempt, and paid for with every turn. */
  judgementCharsMax: 4_000,
  /** Agents renew a login five minutes before it ends; a minute more, because a session needs time to get that far. */
  loginExpiryMarginMs: 360_000,
  /** A session asks its service within seconds of its start; one that has not renewed a login by then will not. */
  loginRenewalMsMax: 120_000,
  /** Between two looks at a login that another session renews; each look starts `flock` once. */
  loginLookMs: 1_000,
  /** Between two looks at what a session has used; a crash of Stint forgets no more than what was told in this time. */
  usageLookMs: 1_000,
  /** A session tells the most with its last word; one that ends by itself this soon after a cap was reached keeps its work. */
  budgetGraceMs: 2_000,
} as const;
