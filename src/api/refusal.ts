import { refusalCode } from "../project/refusals.ts";
import type { Failure, Result } from "../base/result.ts";

/** Why something was refused: `reason` to switch on, `message` with how to fix it, and the exit code of the command line. */
export interface Refusal extends Failure {
  readonly exitCode: number;
}

/** Adds the exit code that belongs to a failure. */
export function refused({ reason, message }: Failure): { readonly ok: false; readonly failure: Refusal } {
  return { ok: false, failure: { reason, message, exitCode: refusalCode({ reason, message }) } };
}

/** The return type of every function of the library. */
export type Answer<T> = Promise<Result<T, Refusal>>;
