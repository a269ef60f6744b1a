/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const approvalLimits = {
  /** A longer difference is not read on a terminal. */
  diffShownBytesMax: 200_000,
  /** Earlier runs that an estimate learns from: older ones had other models, prices and habits. */
  historyRunsMax: 20,
  /** How many bytes of journals are read before a person sees the page: about a second's worth. */
  historyBytesMax: 50_000_000,
  /** How much of a proposal for the rules the approval page shows. */
  proposedRulesShownBytesMax: 20_000,
} as const;
