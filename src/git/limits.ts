/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const gitLimits = {
  /** No answer we ask git for is larger; more would exhaust memory. */
  gitStdoutBytesMax: 1_000_000_000,
  /** Of what git and the remote say to a push; the first sentences tell why. */
  pushWhyCharsMax: 1_000,
  /** Messages of git are lines; a flood of them helps nobody. */
  gitStderrBytesMax: 256_000,
  /** Each is a git process of its own. */
  blobsWrittenAtOnce: 8,
} as const;
