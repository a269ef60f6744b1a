/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const upkeepLimits = {
  /** Objects younger than this are never pruned: whoever has just written one may not have named it yet. */
  pruneAgeMsMin: 3_600_000,
  /** Commits of unfinished runs told to `git prune` on one command line; with more, nothing is pruned. */
  pruneKeptMax: 10_000,
  /** An agent's program takes up to ten seconds to say its version on a busy machine; one that says nothing is stuck. */
  doctorAnswerMsMax: 30_000,
  /** A few workspaces of a project with its dependencies; with less, a night may end early. */
  diskFreeBytesGood: 2_000_000_000,
  /** Of the list of a repository's files that `stint init` looks at: some 200,000 paths; what is beyond seldom tells more. */
  initListBytesMax: 20_000_000,
  /** Folders with a project of one kind below the root; a repository with more has a set-up of its own. */
  initFoldersMax: 8,
  /** Manifests that `stint init` reads, each of 1 MB at most; hostile repositories have any number of folders. */
  initManifestsMax: 100,
  /** Of a script that is quoted in a comment: one line on a screen. */
  initQuoteCharsMax: 60,
} as const;
