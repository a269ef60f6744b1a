/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const checksLimits = {
  /** Files that the witnesses of one check write: one for each process that runs tests, of which a large build starts hundreds. */
  witnessFilesMax: 2_000,
  /** All of them together: half a million tests. */
  witnessBytesMax: 64_000_000,
  /** One test's file and name; a longer line was not written by a witness. */
  witnessLineCharsMax: 10_000,
  /** Files whose tests are counted apart in the journal, which keeps them with each verdict: some 60 kB. */
  witnessGroupsMax: 1_000,
  /** A test is found again by this much of its file and title. */
  witnessTitleCharsMax: 300,
  /** Failing tests that the journal keeps of a check by name; a check with more of them is far from done. */
  failingTestsMax: 100,
  /** A file a person would look into with `contains`; larger ones are red, never read whole. */
  containsFileBytesMax: 20_000_000,
  /** Folders that the processes of one check worked in; names relative to any of them are considered for each. */
  watchedFoldersMax: 200,
  /** The kernel reads as much of a script to find its interpreter. */
  firstLineBytesMax: 256,
  /** What a tracer writes about one check: some 600,000 calls. A longer trace is not read, and the check counts as not watched. */
  traceBytesMax: 64_000_000,
  /** Files of a diff named in one message; the verdict has all of them. */
  pathsNamedMax: 10,
} as const;
