/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const sandboxLimits = {
  /** How many programs of one folder of PATH are followed as links; a folder with more is not a folder of programs. */
  searchFolderEntriesMax: 20_000,
  /** How much a room can put into /tmp, which is in memory; builds that need more have their workspace. */
  roomTmpBytesMax: 2_000_000_000,
  /** Starting a sandbox takes milliseconds; one that hangs counts as not working. */
  sandboxProbeMsMax: 20_000,
} as const;
