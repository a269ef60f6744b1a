/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const upkeepLimits = {
  /** Objects younger than this are never pruned: a process that has just written one may not have named it yet. */
  pruneAgeMsMin: 3_600_000,
  /** Commits of unfinished runs that one `git prune` command line can name; with more, nothing is pruned. */
  pruneKeptMax: 10_000,
  /** An agent's program takes up to ten seconds to report its version on a busy machine; a longer silence means it is stuck. */
  doctorAnswerMsMax: 30_000,
  /** Space for a few workspaces of a project with its dependencies; with less, an overnight run may end early. */
  diskFreeBytesGood: 2_000_000_000,
  /** The part of the list of a repository's files that `stint init` reads: some 200,000 paths; the rest seldom adds anything. */
  initListBytesMax: 20_000_000,
  /** Folders below the root with a project of one kind; a repository with more has its own way of set-up. */
  initFoldersMax: 8,
  /** Manifests that `stint init` reads, of at most 1 MB each; hostile repositories may have any number of folders. */
  initManifestsMax: 100,
  /** The length to which a script is cut when a comment quotes it: one line on a screen. */
  initQuoteCharsMax: 60,
} as const;
