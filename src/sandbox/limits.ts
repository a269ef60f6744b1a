/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const sandboxLimits = {
  /** Programs of one folder of PATH that are looked at for where they lead; more are no folder of programs. */
  searchFolderEntriesMax: 20_000,
  /** What a room can put into /tmp, which is memory; builds that need more have their workspace. */
  roomTmpBytesMax: 2_000_000_000,
  /** Starting a sandbox takes milliseconds; a machine on which it hangs has none. */
  sandboxProbeMsMax: 20_000,
} as const;
