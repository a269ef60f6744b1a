/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const hooksLimits = {
  /** Messages that wait for one hook; a receiver that is so far behind is gone, and they are held in memory. */
  hookQueueMax: 500,
  /** Of one message; only verdicts with much output, and the tasks of a large plan, are longer. */
  hookBodyCharsMax: 256_000,
  /** Of one field of a message that is too long as a whole; all that names or counts something is shorter. */
  hookFieldCharsMax: 4_000,
  /** A receiver puts a message aside and answers; one that works first is too slow at the end of a run. */
  hookWebhookMsMax: 10_000,
  /** Of an answer, which only its status decides. */
  hookAnswerBytesMax: 4_000,
  /** Waits between tries of a webhook: a receiver that is being restarted is waited for. */
  hookBackoffMs: [1_000, 4_000, 15_000] as readonly number[],
  /** A message is sent or shown in seconds; what takes longer is work, and belongs elsewhere. */
  hookCommandMsMax: 60_000,
  /** What is kept of what a hook's program says. */
  hookOutputBytesMax: 100_000,
  /** Between two rungs of the stop ladder for a hook's program, which has little to save. */
  hookStopStepMs: 500,
  /** What is quoted of an answer or of a program's last line. */
  hookWhyCharsMax: 300,
  /** One log of hooks: thousands of lines; one more of that size is kept. */
  hookLogBytesMax: 1_000_000,
  hookLogLineCharsMax: 1_000,
  /** How long a run that is over waits for its hooks. */
  hookDrainMs: 10_000,
  /** And one that was interrupted: somebody waits at the terminal. */
  hookHurryMs: 1_000,
} as const;
