import { planningLimits } from "./planning-limits.ts";

/** Every bound of the product, with its unit in the name and the reason beside it. */
export const limits = {
  /** A plan document is read by people; anything larger is not a plan and would stall the YAML parser. */
  planFileBytesMax: 1_000_000,
  /** A plan of more files cannot be reviewed, and listing must end. */
  planFilesMax: 20_000,
  /** What `git log --oneline` shows of a subject on a narrow terminal; the goal itself is in the plan. */
  quickTitleCharsMax: 72,
  /** Of a goal's words in the name of a plan, a branch and a run, which have at most 64 characters with the hash. */
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
  /** A longer task is more than an agent carries out with care in an hour; lint warns. */
  taskLinesGood: 300,
  /** A task that names more is several tasks; lint warns. */
  taskFilesGood: 12,
  /** Warnings of one kind: whoever has more has one habit to change, not a list to work off. */
  warningsOfAKindMax: 20,
  /** Pairs of a task that claims a folder and one that claims something in it; a plan with more is not looked through. */
  sharedPairsMax: 1_000_000,
  /** Tasks, and files, named in one warning about files that tasks share. */
  sharedNamedMax: 3,
  /** Of a critical path shown in one line: its beginning and its end tell where to look. */
  criticalPathShownMax: 8,
  /** One journal line holds at most one event with the tail of a check's output, or the list of all tasks. */
  journalLineBytesMax: 32_000_000,
  /** Deeper values are a cycle or a mistake, and would overflow the stack of JSON.stringify. */
  journalEventDepthMax: 64,
  /** `flock -n` does not wait, so this only bounds a machine that hangs. */
  flockMsMax: 30_000,
  /** What is kept of one check's output: enough to see the failure, small enough for a prompt and a journal line. */
  checkOutputTailBytesMax: 16_000,
  /** The user's own instructions and prompts; what is larger was not written for an agent to read. */
  userFileBytesMax: 1_000_000,
  /** Tasks before and after its own that a prompt names, so that it does not grow with the plan. */
  neighboursToldMax: 20,
  /** Of one dependency's notes in the prompt, which is paid for with every turn; the inbox holds them whole. */
  noteCharsMax: 4_000,
  /** Failing checks of which a prompt holds the output; whoever mends the first few has usually mended the rest. */
  tailsToldMax: 5,
  /** Source documents of one task that are put into its inbox; an agent cannot read more in an hour. */
  inputFilesMax: 100,
  /** One source document; services take no image or document near this. */
  inputFileBytesMax: 10_000_000,
  /** All source documents of one task, which are held in memory while they are handed over. */
  inputBytesMax: 50_000_000,
  /** How much of one session's output is kept on disk; the middle beyond it is dropped. */
  agentOutputBytesMax: 20_000_000,
  /** One event of an agent's protocol, which may quote a whole file; a longer line is dropped, never held in memory. */
  agentLineBytesMax: 8_000_000,
  /** Share of one core: an agent that only waits for its service still polls (5 % was measured); work takes more. */
  idleProcessorShareMax: 0.1,
  /** The unit of processor times in /proc: Linux tells user space 100 ticks a second, whatever its own clock. */
  clockTickMs: 10,
  /** Calls of tools that began and whose end is awaited; an agent has a handful at once. */
  agentCallsOpenMax: 1_000,
  /** What we answer to requests of one session; an agent that asks more does not read, and we would hold the answers. */
  agentAnswersCharsMax: 10_000_000,
  /** An id is given back in the answer; real ones are numbers or UUIDs. */
  agentRequestIdCharsMax: 1_000,
  /** An image is held in memory and sent as text; services refuse larger ones. */
  imageBytesMax: 20_000_000,
  /** What a driver says to an agent that does not read waits in memory; beyond this the agent is stuck. */
  unreadInputBytesMax: 64_000_000,
  /** Processes of one session at a time; a parallel build of a large project stays far below, a fork bomb does not. */
  processesMax: 1_000,
  /** Threads take numbers like processes, of which many machines have 32,768 in all. */
  threadsMax: 10_000,
  /** And of all that run side by side, so that the rest of the machine keeps some. */
  threadsOfAllMax: 20_000,
  /** Of the machine's memory, for one session: beyond it the kernel would soon end processes of its own choice. */
  memoryShareMax: 0.75,
  /** What one session may write: a large build with its dependencies several times over. */
  diskBytesMax: 20_000_000_000,
  /** The journal and the user's other programs must be able to go on writing. */
  diskFreeBytesMin: 1_000_000_000,
  /** With less left, what failed to write may have failed for that: what is given back when a failed write is undone is seldom more. */
  diskFullBytes: 1_000_000,
  /** Fewer are as good as none: what failed for want of them has often removed a file of its own since. */
  diskFullInodes: 16,
  /** Between two counts of a session's files, which take seconds where there are many. */
  diskCountMs: 30_000,
  /** No project has so many files; counting must end. */
  diskEntriesMax: 2_000_000,
  /** Between two looks at a session's processes: a table of a thousand takes some ten milliseconds to read. */
  sessionLookMs: 1_000,
  /** Between two looks at how many processes the machine has, which one short line tells: a bomb doubles within milliseconds. */
  forkLookMs: 100,
  /** After its last word an agent may still save its session; one that hangs then is ended, and the checks decide. */
  finalGraceMs: 10_000,
  /** Instructions beyond this are cut where an agent's program does the same; they are in every request it makes. */
  repoInstructionsBytesMax: 32_768,
  /** Messages of an agent that may still get a further part; a few are open at once, one for each of its helpers. */
  agentMessagesOpenMax: 1_000,
  /** What an observer sees of a tool's arguments: enough to know what goes on. */
  agentToolDetailCharsMax: 300,
  /** What a run shows of agents' notices; one that floods them must not push everything else off the screen. */
  agentNoticesShownMax: 200,
  /** A report is a few sentences; the outbox is written by an agent and read by us. */
  outboxFileBytesMax: 1_000_000,
  /** Files that one report may ask for; a person has to read them all, and a task that needs more is another task. */
  neededFilesMax: 20,
  /** Of one of them: longer ones are not read in a question. */
  grantedPathCharsMax: 200,
  /** Requests for files of one task that the settings may grant: a session that only asks is free, but not for ever. */
  scopeGrantsMax: 3,
  /** What a question quotes of an agent's words; the log has them whole. */
  quotedCharsMax: 500,
  /** What `status` shows of a question: all files that one may ask for, with the reasons. */
  questionCharsMax: 10_000,
  /** Answers that a prompt holds, the last ones; the inbox has all. */
  answersToldMax: 5,
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
  /** Files that the witnesses of one check write: one for each process that runs tests, of which a large build starts hundreds. */
  witnessFilesMax: 2_000,
  /** All of them together: half a million tests. */
  witnessBytesMax: 64_000_000,
  /** One test's file and name; a longer line was not written by a witness. */
  witnessLineCharsMax: 10_000,
  /** Files whose tests are counted apart in the journal, which keeps them with each verdict: some 60 kB. */
  witnessGroupsMax: 1_000,
  /** Of a test's file and title, by which it is found again. */
  witnessTitleCharsMax: 300,
  /** Failing tests that the journal keeps of a check by name; a check with more of them is far from done. */
  failingTestsMax: 100,
  /** A file a person would look into with `contains`; larger ones are red, never read whole. */
  containsFileBytesMax: 20_000_000,
  /** No answer we ask git for is larger; more would exhaust memory. */
  gitStdoutBytesMax: 1_000_000_000,
  /** Git quotes paths whole, and an agent can make one of any length; what is wrong with it is in the first words or the last name. */
  problemCharsMax: 500,
  /** Git holds a file it hashes in memory; no source file comes near this, and a sparse one of 1 TB would never be done. */
  candidateFileBytesMax: 500_000_000,
  /** Commits of a run take seconds; a long history that was never pushed takes minutes on a slow line. */
  pushMsMax: 600_000,
  /** Waits between tries of a push: a network that comes back soon is waited for, but a finished run is not held up long. */
  pushBackoffMs: [2_000, 10_000, 30_000] as readonly number[],
  /** Of what git and the remote say to a push; the first sentences tell why. */
  pushWhyCharsMax: 1_000,
  /** Messages of git are lines; a flood of them helps nobody. */
  gitStderrBytesMax: 256_000,
  /** Each is an open file while it is flushed; more at once gain nothing and meet the limit of a process. */
  objectsWrittenAtOnce: 32,
  /** A longer difference is not read on a terminal. */
  diffShownBytesMax: 200_000,
  /** Enough to see why a check failed without scrolling; the attempt's folder has the rest. */
  checkLinesShownMax: 20,
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
  /** Between two writings of progress.md: nobody reads faster, and each one reaches the disk. */
  progressMs: 1_000,
  /** And never more than this share of the time, however many tasks there are to list. */
  progressShareMax: 0.02,
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
  /** A result of set-up that nobody used for so long belongs to a lock file of the past; `stint gc` removes it. */
  setupCacheUnusedMsMax: 30 * 24 * 3_600_000,
  /** Objects younger than this are never pruned: whoever has just written one may not have named it yet. */
  pruneAgeMsMin: 3_600_000,
  /** Commits of unfinished runs told to `git prune` on one command line; with more, nothing is pruned. */
  pruneKeptMax: 10_000,
  /** Asking a few programs for their versions. */
  toolVersionsMs: 60_000,
  /** Installing dependencies of a large project over a slow network. */
  setupTimeoutMs: 1_800_000,
  /** Files of a diff named in one message; the verdict holds all. */
  pathsNamedMax: 10,
  /** Runs named to whoever named one that is not there; the newest are meant most often. */
  runsNamedMax: 10,
  /** Larger files are data or generated; a guard that reads them would stall a run. */
  guardedFileBytesMax: 1_000_000,
  /** Suites and functions around one test: real code nests a few of them. */
  syntaxDepthMax: 100,
  /** Tests of one file that are compared; each is compared with others, and a file with more was generated. */
  testsPerFileMax: 5_000,
  /** Of the body of one test: what it is about is told by its beginning. */
  testBodyCharsMax: 5_000,
  /** Of one assertion, and of one list of examples: more of them is data, and no claim that is told apart by it. */
  statementLinesMax: 30,
  tableLinesMax: 500,
  /** Examples that are compared with what gone tests claimed; whoever rewrote more than that at once is not believed. */
  exampleLooksMax: 200_000,
  /** Of the lines that prove a violation: enough to see it, short enough to be read at once. */
  evidenceLinesMax: 12,
  evidenceLineCharsMax: 200,
  /** Titles of suites and test together; none that a person reads is longer, and hostile ones grow with every level. */
  testNameCharsMax: 2_000,
  /** Rows of tables, multiplied where tables stand in tables; beyond that no count is exact. */
  testRowsMax: 100_000,
  /** Levels of `and`, `or` and parentheses looked into to judge one assertion; deeper ones are nobody's test. */
  assertionDepthMax: 32,
  /** Characters of an expression or a handler that is looked through as a whole; nested ones would be read again and again. */
  expressionCharsMax: 2_000,
  /** Scripts and targets followed from one plan's checks; a project has dozens, and one that calls itself must end. */
  definitionStepsMax: 2_000,
  /** Of one script or recipe that is read as a command line; nobody writes longer ones by hand. */
  commandLineCharsMax: 10_000,
  /** Longer lines are minified code or data, in which the shape of any secret is found by chance. */
  guardedLineCharsMax: 10_000,
  /** Of a line that is searched for signs; a statement that asks about its runner is much shorter. */
  lineChunkChars: 1_000,
  /** Calls that end a program, in one file; an honest module has a handful. */
  exitsInspectedMax: 100,
  /** Names of test files in one source that are looked up on the base; the first that is there is enough. */
  testsNamedMax: 20,
  /** Names looked up in one assertion of Python; a longer one is a table of data. */
  assertionNamesMax: 50,
  /** Attributes of one file of Rust that are looked at; each has its item looked for. */
  attributesInspectedMax: 5_000,
  /** Steps from a call up to its file; each takes time that grows with the depth, and no honest code nests deeper. */
  treeClimbMax: 200,
  /** Paths and violations kept in one event; an agent that touches more has failed all the same. */
  pathsJournaledMax: 200,
  /** Sessions of a judge that may leave no judgement on one question; two in a row are no accident, and a person has to look. */
  judgeSilencesMax: 2,
  /** Of a judge's reason: it is told to the next attempt, and paid for with every turn. */
  judgementCharsMax: 4_000,
  /** Of a change as a judge gets it; a longer one is read in the workspace. */
  judgedDiffBytesMax: 2_000_000,
  /** Of all that a planner is shown of tasks that could not be done; it has to fit a session beside the plan. */
  revisionEvidenceCharsMax: 200_000,
  /** Verdicts and reports of one such task, the latest: the ones before say the same. */
  revisionAttemptsShownMax: 8,
  /** Of the change that its last attempt left; the beginning shows which way it went. */
  revisionWorkBytesMax: 20_000,
  /** Conflicts with other tasks are free, but not for ever. */
  conflictsPerTaskMax: 3,
  /** A task that mended a regression twice and made another is not understood; a person has to look. */
  reopensPerTaskMax: 2,
  /** Trees of which green checks are remembered: those of the train and of the last tips; older ones never come back. */
  treesRememberedMax: 64,
  /** Files that a task's globs are written out to in the journal; a task with more claims their whole folder. */
  claimedPathsMax: 2_000,
  /** All tasks together: their claims are one journal line, which must stay far below its own bound. */
  claimedPathsOfAllMax: 100_000,
  /** Waits after a usage limit with no reset time known; when they are used up, a person is needed. */
  limitBackoffMs: [60_000, 300_000, 900_000, 1_800_000, 3_600_000] as readonly number[],
  /** Agents renew a login five minutes before it ends; a minute more, because a session needs time to get that far. */
  loginExpiryMarginMs: 360_000,
  /** A session asks its service within seconds of its start; one that has not renewed a login by then will not. */
  loginRenewalMsMax: 120_000,
  /** Between two looks at a login that another session renews; each look starts `flock` once. */
  loginLookMs: 1_000,
  /** An agent's program takes up to ten seconds to say its version on a busy machine; one that says nothing is stuck. */
  doctorAnswerMsMax: 30_000,
  /** A few workspaces of a project with its dependencies; with less, a night may end early. */
  diskFreeBytesGood: 2_000_000_000,
  /** Below this not even a journal and one workspace can be relied on. */
  diskFreeBytesUsable: 100_000_000,
  /** The same in files: one workspace of a small project. */
  diskFreeFilesUsable: 1_000,
  /** Between two looks at what a session has used; a crash of Stint forgets no more than what was told in this time. */
  usageLookMs: 1_000,
  /** A session tells the most with its last word; one that ends by itself this soon after a cap was reached keeps its work. */
  budgetGraceMs: 2_000,
  /** How long a command from another terminal may wait to be accepted; a driver takes it within milliseconds. */
  commandWaitMs: 10_000,
  /** Between two looks for commands and for their answers where the file system tells of no change; each look of a sender starts `flock` once. */
  commandLookMs: 250,
  /** A command is a few words, or an answer of some pages. */
  commandBytesMax: 100_000,
  /** Files of the folder of commands that are looked at once; persons send a few. */
  commandFilesMax: 100,
  /** Earlier runs that an estimate learns from: older ones had other models, prices and habits. */
  historyRunsMax: 20,
  /** Of their journals together, which are read before a person sees the page: a second's worth. */
  historyBytesMax: 50_000_000,
  /** Tasks of which each has a line of its own in the picture of the waves; more do not fit a screen. */
  wavesTasksShownMax: 40,
  /** Lines of the picture where waves are folded to counts. */
  wavesLinesMax: 30,
  /** Messages that wait for one hook; a receiver that is so far behind is gone, and they are held in memory. */
  hookQueueMax: 500,
  /** Of one message; only verdicts with much output, and the tasks of a large plan, are longer. */
  hookBodyCharsMax: 256_000,
  /** Of one field of a message that is too long as a whole; all that names or counts something is shorter. */
  hookFieldCharsMax: 4_000,
  /** A receiver puts a message aside and answers; one that works first is too slow at the end of a run. */
  hookWebhookMsMax: 10_000,
  /** Of an answer, which only its status decides. */
  hookAnswerBytesMax: 4_000,
  /** Waits between tries of a webhook: a receiver that is being restarted is waited for. */
  hookBackoffMs: [1_000, 4_000, 15_000] as readonly number[],
  /** A message is sent or shown in seconds; what takes longer is work, and belongs elsewhere. */
  hookCommandMsMax: 60_000,
  /** What is kept of what a hook's program says. */
  hookOutputBytesMax: 100_000,
  /** Between two rungs of the stop ladder for a hook's program, which has little to save. */
  hookStopStepMs: 500,
  /** What is quoted of an answer or of a program's last line. */
  hookWhyCharsMax: 300,
  /** One log of hooks: thousands of lines; one more of that size is kept. */
  hookLogBytesMax: 1_000_000,
  hookLogLineCharsMax: 1_000,
  /** How long a run that is over waits for its hooks. */
  hookDrainMs: 10_000,
  /** And one that was interrupted: somebody waits at the terminal. */
  hookHurryMs: 1_000,
  /** Between two notes of what agents do, for other terminals; people do not read faster. */
  activityNoteMs: 1_000,
  /** Of an agent's last line: what fits on a wide terminal. */
  activityLineCharsMax: 400,
  /** Of an agent's output that is searched for its last line. */
  activityTailBytes: 4_096,
  /** A note of more lanes than a command line can ask for stays below this; a larger file is nobody's note. */
  activityBytesMax: 16_000_000,
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
  /** setTimeout overflows beyond 2^31-1 ms and fires at once; longer waits are split. */
  timerMsMax: 2_000_000_000,
  /** Of the list of a repository's files that `stint init` looks at: some 200,000 paths; what is beyond seldom tells more. */
  initListBytesMax: 20_000_000,
  /** Folders with a project of one kind below the root; a repository with more has a set-up of its own. */
  initFoldersMax: 8,
  /** Manifests that `stint init` reads, each of 1 MB at most; hostile repositories have any number of folders. */
  initManifestsMax: 100,
  /** Of a script that is quoted in a comment: one line on a screen. */
  initQuoteCharsMax: 60,
  ...planningLimits,
} as const;
