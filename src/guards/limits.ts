/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const guardsLimits = {
  /** Of one of them: longer ones are not read in a question. */
  grantedPathCharsMax: 200,
  /** Requests for files of one task that the settings may grant: a session that only asks is free, but not for ever. */
  scopeGrantsMax: 3,
  /** What a question quotes of an agent's words; the log has them whole. */
  quotedCharsMax: 500,
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
  /** Alternatives of one pattern that leaves files out; a person writes a few, and groups multiply. */
  excludeAlternativesMax: 100,
} as const;
