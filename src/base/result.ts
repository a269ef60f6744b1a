/** An expected failure: `reason` is a literal to switch on, `message` says what happened and how to fix it. */
export interface Failure<Reason extends string = string> {
  readonly reason: Reason;
  readonly message: string;
}

/** Expected failure is a value; a bug is a throw. */
export type Result<T, F extends Failure = Failure> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: F };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function fail<Reason extends string>(
  reason: Reason,
  message: string,
): { readonly ok: false; readonly failure: Failure<Reason> } {
  return { ok: false, failure: { reason, message } };
}

/** Ends a switch over a union, so that a new member is a compile error wherever it is not handled. */
export function unreachable(value: never): never {
  throw new Error(`Internal error: expected no more cases, but was ${JSON.stringify(value)}`);
}

/** Returns the message of something thrown: a bug, or a failure of the machine, without the code that only programmers know. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message.replace(/^E[A-Z0-9]+: /, "") : String(thrown);
}

/** Says why the system refused something, in its own words: "permission denied". */
export function systemReason(error: unknown): string {
  return messageOf(error).replace(/, .*$/s, "");
}
