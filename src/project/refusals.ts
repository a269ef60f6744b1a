import { exitCodes } from "../engine/exit-code.ts";
import type { Failure, Result } from "../base/result.ts";

/** Returns the exit code of a refusal, which says whether the plan, the settings or a person has to act. Anything else is a system error. */
export function refusalCode({ reason }: Failure): number {
  return codes[reason] ?? exitCodes.internal;
}

const codes: Readonly<Record<string, number>> = {
  usage: exitCodes.usage,
  "no-plan": exitCodes.usage,
  "left-out": exitCodes.usage,
  "no-run": exitCodes.usage,
  "no-planning": exitCodes.usage,
  goal: exitCodes.usage,
  name: exitCodes.usage,
  "no-input": exitCodes.usage,
  "plan-errors": exitCodes.usage,
  "no-agent": exitCodes.usage,
  "no-mount": exitCodes.usage,
  settings: exitCodes.usage,
  "in-the-way": exitCodes.usage,
  ignored: exitCodes.usage,
  finished: exitCodes.usage,
  unchanged: exitCodes.usage,
  uncommitted: exitCodes.person,
  "not-in-head": exitCodes.person,
  unapproved: exitCodes.person,
  changed: exitCodes.person,
  "other-programs": exitCodes.person,
  prerequisite: exitCodes.person,
  aborted: exitCodes.interrupted,
};

/** Why something was refused: `reason` to switch on, `message` with how to fix it, and the exit code of the command line. */
export interface Refusal extends Failure {
  readonly exitCode: number;
}

/** Adds the exit code that belongs to a failure, unless it has one. */
export function refused(failure: Failure | Refusal): { readonly ok: false; readonly failure: Refusal } {
  const { reason, message } = failure;
  const exitCode = "exitCode" in failure ? failure.exitCode : refusalCode(failure);
  return { ok: false, failure: { reason, message, exitCode } };
}

/** The return type of every function of the library. */
export type Answer<T> = Promise<Result<T, Refusal>>;
