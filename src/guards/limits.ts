/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const guardsLimits = {
  /** A longer path would not be read by the person who is asked for it. */
  grantedPathCharsMax: 200,
  /** Requests for files of one task that the settings may grant: a session that only asks is free, but not for ever. */
  scopeGrantsMax: 3,
  /** What a question quotes of an agent's words; the log has them whole. */
  quotedCharsMax: 500,
  /** Suites and functions around one test: real code nests a few of them. */
  syntaxDepthMax: 100,
  /** Tests of one file that are compared; each is compared with others, and a file with more was generated. */
  testsPerFileMax: 5_000,
  /** The beginning of a test's body shows what it is about. */
  testBodyCharsMax: 5_000,
  /** A longer assertion or list of examples is data, and does not tell one claim from another. */
  statementLinesMax: 30,
  tableLinesMax: 500,
  /** Examples that are compared with what deleted tests claimed; a rewrite of more than that at once is refused. */
  exampleLooksMax: 200_000,
  /** The first lines that prove a violation are enough to see it, and few enough to read at once. */
  evidenceLinesMax: 12,
  /** Titles of suites and test together; none that a person reads is longer, and hostile ones grow with every level. */
  testNameCharsMax: 2_000,
  /** Rows of tables, multiplied where tables are nested; beyond that no count is exact. */
  testRowsMax: 100_000,
  /** Levels of `and`, `or` and parentheses that are read to rate one assertion; real tests do not go deeper. */
  assertionDepthMax: 32,
  /** Characters of an expression or a handler that is looked through as a whole; nested ones would be read again and again. */
  expressionCharsMax: 2_000,
  /** Scripts and targets followed from one plan's checks; a project has dozens, and one that calls itself must end. */
  definitionStepsMax: 2_000,
  /** Longer lines are minified code or data, in which the shape of any secret is found by chance. */
  guardedLineCharsMax: 10_000,
  /** A long line is searched in pieces of this size; a statement that asks about its runner is much shorter. */
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
  /** Alternatives of one pattern that leaves files out; a person writes a few, and groups multiply. */
  excludeAlternativesMax: 100,
} as const;
