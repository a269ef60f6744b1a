import { refusalCode } from "../project/refusals.ts";
import type { Failure, Result } from "../base/result.ts";

/** Why something was not done: `reason` to switch on, `message` with the cure, and the exit code that the command line would end with. */
export interface Refusal extends Failure {
  readonly exitCode: number;
}

/** With the exit code that belongs to it. */
export function refused({ reason, message }: Failure): { readonly ok: false; readonly failure: Refusal } {
  return { ok: false, failure: { reason, message, exitCode: refusalCode({ reason, message }) } };
}

/** What every function of the library answers with. */
export type Answer<T> = Promise<Result<T, Refusal>>;
