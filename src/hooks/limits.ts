/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const hooksLimits = {
  /** Messages that wait for one hook; a receiver that is so far behind is gone, and they are kept in memory. */
  hookQueueMax: 500,
  /** The size of one message; only verdicts with much output, and the tasks of a large plan, are larger. */
  hookBodyCharsMax: 256_000,
  /** The size of one field if a message is too large; names and counts are shorter. */
  hookFieldCharsMax: 4_000,
  /** A receiver should queue a message and answer; one that works first is too slow at the end of a run. */
  hookWebhookMsMax: 10_000,
  /** How much of an answer is read; only its status decides. */
  hookAnswerBytesMax: 4_000,
  /** Waits between tries of a webhook: a receiver that is being restarted is waited for. */
  hookBackoffMs: [1_000, 4_000, 15_000] as readonly number[],
  /** A message is sent or shown in seconds; what takes longer is work, and belongs elsewhere. */
  hookCommandMsMax: 60_000,
  /** How much output of a hook's program is kept. */
  hookOutputBytesMax: 100_000,
  /** The time between two steps of stopping a hook's program, which has little to save. */
  hookStopStepMs: 500,
  /** How much of an answer or of a program's last line is quoted. */
  hookWhyCharsMax: 300,
  /** One log of hooks: thousands of lines; one more of that size is kept. */
  hookLogBytesMax: 1_000_000,
  hookLogLineCharsMax: 1_000,
  /** How long a run that is over waits for its hooks. */
  hookDrainMs: 10_000,
  /** How long an interrupted run waits for its hooks: a person is waiting at the terminal. */
  hookHurryMs: 1_000,
} as const;
