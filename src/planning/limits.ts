/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const planningLimits = {
  /** Sessions that one planning may take: a plan that is no good after so many needs another goal, not another session. */
  planningSessionsMax: 30,
  /** Sessions in a row that are told the errors of a draft: who has not mended them after these will not. */
  planningCorrectionsMax: 3,
  /** Questions of one planning: nobody answers more with care. */
  planningQuestionsMax: 30,
  /** Options of one question: more are no choice. */
  inquiryOptionsMax: 9,
  /** Of a question, an option, an answer: what a person reads at once. */
  inquiryCharsMax: 2_000,
  /** Findings of one critique: more are not read, and the worst come first. */
  findingsMax: 100,
  /** Inputs that a planner's prompt names one by one; a folder may hold hundreds. */
  inputsNamedMax: 20,
  /** Task files of one draft: a plan of more cannot be reviewed, and reading an outbox must end. */
  draftFilesMax: 1_000,
  /** All documents of one draft, which are held in memory and read by people. */
  draftBytesMax: 5_000_000,
  /** Paths that a planner changed in its clone and that are named; more tell nothing new. */
  dirtyPathsMax: 50,
  /** Comparing a clone with its commit, which only tells what is not kept; a large one takes seconds. */
  dirtyLookMsMax: 120_000,
  /** Problems of a draft that its planner is told at once: whoever mends so many has usually mended the rest. */
  draftProblemsMax: 60,
  /** Of one of them, which may quote a command line or what a program said. */
  draftProblemCharsMax: 1_000,
  /** Entries of folders that are looked through for inputs; a folder with more is a project, not a handful of documents. */
  inputEntriesMax: 10_000,
  /** Of one name of an input as it is kept; what is longer cannot be read in a list. */
  inputNameCharsMax: 80,
  /** A token is taken for four bytes: near the truth for code in Latin letters, and too many tokens rather than too few for others. */
  mapTokenBytes: 4,
  /** What `stint map` fits without another word: a few pages. */
  mapTokensDefault: 4_000,
  /** Larger files are data or made by tools: they are in the map by name and size. */
  mapFileBytesMax: 400_000,
  /** Of files that are read at once; with the trees of one of them, all that is held of texts. */
  mapBatchBytesMax: 4_000_000,
  mapBatchFilesMax: 500,
  /** Of one file: whoever has more definitions is generated, and a map shows a few. */
  mapSymbolsPerFileMax: 400,
  /** Of one file, as it is kept for later maps. */
  mapWordsPerFileMax: 4_000,
  mapImportsPerFileMax: 200,
  /** Of headings and keys of a file that is not code. */
  mapOutlineLinesMax: 24,
  /** Of one line of the map; what is beyond is mostly parameters of parameters. */
  mapLineCharsMax: 120,
  /** Longer words are data. */
  mapWordCharsMax: 64,
  /** Of a repository: more are counted, in the order of their paths, but neither read nor ranked. */
  mapFilesMax: 100_000,
  /** Of `.gitattributes` that say what tools made: each is tried on every path. */
  mapAttributeRulesMax: 200,
  /** Files that define one name; a name of more says nothing of where it is from. */
  mapDefinersMax: 12,
  /** Uses of names that are followed in all; a repository of a million lines has half as many. */
  mapLinksMax: 4_000_000,
  /** Rounds of ranking: the order of files stands still long before. */
  mapRoundsMax: 20,
  /** Of a goal: a page of words; the map needs its nouns. */
  mapGoalCharsMax: 10_000,
  /** Of the file of earlier results; a repository with more is read anew for what does not fit. */
  mapCacheBytesMax: 300_000_000,
} as const;
