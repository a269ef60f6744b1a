/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const workspaceLimits = {
  /** Git holds a file it hashes in memory; no source file comes near this, and a sparse one of 1 TB would never be done. */
  candidateFileBytesMax: 500_000_000,
  /** Results of set-up that are kept per repository: a few versions of its lock file, on a few branches. */
  setupCacheEntriesMax: 8,
  /** The size of all of them together, so that large dependencies do not fill a disk. */
  setupCacheBytesMax: 20_000_000_000,
  /** A result of set-up that was not used for so long belongs to an old lock file; `stint gc` removes it. */
  setupCacheUnusedMsMax: 30 * 24 * 3_600_000,
  /** How long a few programs may take to print their versions. */
  toolVersionsMs: 60_000,
  /** Long enough to install the dependencies of a large project over a slow network. */
  setupTimeoutMs: 1_800_000,
  /** How many trees with what set-up made of them stay while nobody uses them: the tip, the candidates, and the commits before them. */
  treesKeptMax: 12,
  /** Git compares every file with every path it is asked about: with more paths than this, all files are looked at once. */
  layerPathsMax: 1_000,
  /** A commit that differs from another by more files than this is checked out as a whole. */
  differenceMax: 2_000,
  /** Commits whose checks were watched and that have not landed yet: the candidates of all lanes, and what they were placed on again. */
  watchedCommitsMax: 64,
  /** How often something that a check reads may have changed before it is no longer watched: a suite that reads every file is asked again anyway. */
  watchedInVainMax: 3,
  /** Differences between two commits that one verification asks for several times. */
  differencesKeptMax: 16,
  /** What tools compiled and downloaded for a large project; a run whose caches would grow beyond keeps what it has. */
  keptCachesBytesMax: 4_000_000_000,
  /** Each check of a landed commit that leaves something makes a new folder with as many names, which takes a second with this many. */
  keptCachesFilesMax: 50_000,
  /** How many commits that have not landed have their caches put aside: as many as may be verified at once, and some. */
  pendingCachesMax: 8,
  /** Larger files are data or generated; a guard that reads them would stall a run. */
  guardedFileBytesMax: 1_000_000,
} as const;
