/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const gitLimits = {
  /** No output that we need from git is larger; more would exhaust memory. */
  gitStdoutBytesMax: 1_000_000_000,
  /** How much of the output of git and the remote is kept when a push fails; the reason comes first. */
  pushWhyCharsMax: 1_000,
  /** Git prints a few lines; more would not help to find the problem. */
  gitStderrBytesMax: 256_000,
  /** Each is a git process of its own. */
  blobsWrittenAtOnce: 8,
  /** Paths on one command line: the longest ones still fit into what the kernel allows. */
  pathsNamedMax: 200,
  /** Lists of paths that are kept: a command looks at HEAD and at the commit that it shows, and a list may take 10 MB. */
  pathListsKept: 2,
} as const;
