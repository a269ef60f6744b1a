/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const planningLimits = {
  /** Sessions of agents in one planning session: a plan that is no good after so many needs another goal. */
  planningSessionsMax: 30,
  /** Sessions in a row that get the errors of a draft: a planner that has not fixed them by then will not. */
  planningCorrectionsMax: 3,
  /** Questions of one planning session: people do not answer more with care. */
  planningQuestionsMax: 30,
  /** Options of one question: with more, people no longer choose. */
  inquiryOptionsMax: 9,
  /** The length of a question, an option or an answer: what a person reads at once. */
  inquiryCharsMax: 2_000,
  /** Findings of one critique: people read no more, and the worst come first. */
  findingsMax: 100,
  /** Inputs that a planner's prompt names one by one; a folder may have hundreds. */
  inputsNamedMax: 20,
  /** Task files of one draft: a plan of more cannot be reviewed, and reading an outbox must end. */
  draftFilesMax: 1_000,
  /** All documents of one draft, which are in memory and read by people. */
  draftBytesMax: 5_000_000,
  /** Paths named of those that a planner changed in its clone; more say nothing new. */
  dirtyPathsMax: 50,
  /** How long comparing a clone with its commit may take; it only lists what is not kept. */
  dirtyLookMsMax: 120_000,
  /** Problems of a draft that its planner gets at once: fixing so many usually fixes the rest. */
  draftProblemsMax: 60,
  /** The length of one of them, which may quote a command line or the output of a program. */
  draftProblemCharsMax: 1_000,
  /** Entries that are searched for inputs; a folder with more is a project, not a handful of documents. */
  inputEntriesMax: 10_000,
  /** The length of an input's name; longer ones are hard to read in a list. */
  inputNameCharsMax: 80,
  /** A token counts as four bytes: close for code in Latin letters, and too many tokens rather than too few for others. */
  mapTokenBytes: 4,
  /** The default size of `stint map`: a few pages. */
  mapTokensDefault: 4_000,
  /** Larger files are data or generated: the map lists them by name and size. */
  mapFileBytesMax: 400_000,
  /** Bytes of the files that are read at once, which bounds the memory for texts. */
  mapBatchBytesMax: 4_000_000,
  mapBatchFilesMax: 500,
  /** Definitions of one file: a file with more is generated, and a map shows a few. */
  mapSymbolsPerFileMax: 400,
  /** Words of one file that are kept for later maps. */
  mapWordsPerFileMax: 4_000,
  mapImportsPerFileMax: 200,
  /** Headings and keys listed of a file that is not code. */
  mapOutlineLinesMax: 24,
  /** The length of one line of the map; the rest is mostly parameters of parameters. */
  mapLineCharsMax: 120,
  /** Longer words are data. */
  mapWordCharsMax: 64,
  /** Files of a repository in the order of their paths: more are counted, but neither read nor ranked. */
  mapFilesMax: 100_000,
  /** Rules of `.gitattributes` that mark generated files: each is tried on every path. */
  mapAttributeRulesMax: 200,
  /** Files that define one name; a name that more files define does not say where it comes from. */
  mapDefinersMax: 12,
  /** Uses of names that are followed altogether; a repository of a million lines has half as many. */
  mapLinksMax: 4_000_000,
  /** Rounds of ranking: the order of files settles long before. */
  mapRoundsMax: 20,
  /** The length of a goal: a page of words; the map needs its nouns. */
  mapGoalCharsMax: 10_000,
  /** The size of the cache of earlier results; what does not fit is read again. */
  mapCacheBytesMax: 300_000_000,
} as const;
