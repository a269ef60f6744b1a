import type { GuardEvidence } from "../engine/evidence.ts";
import type { Change } from "../plan/protected.ts";
import type { Check, Rules, Task } from "../plan/types.ts";

/** A changed file as text; null where it was or is no file, and on both sides where one is too large to be read. */
export interface ChangedText extends Change {
  readonly before: string | null;
  readonly after: string | null;
  readonly tooLarge: boolean;
}

/** What guards that read files look at. */
export interface Contents {
  readonly task: Task;
  readonly rules: Rules;
  /** Every check of the plan: those of its tasks, of the rules, and its own. */
  readonly checks: readonly Check[];
  /** The command of set-up; empty where there is none. */
  readonly setup: string;
  readonly changes: readonly ChangedText[];
}

/** The text of any file on the base of the task; null where there is none, or it is too large to be read. */
export type ReadBase = (path: string) => Promise<string | null>;

/** Finds violations in what files say; whether they may change at all was decided before. */
export type ContentGuard = (contents: Contents, readBase: ReadBase) => Promise<readonly GuardEvidence[]>;

/** How a message about a changed file begins. */
export const did = { A: "was created", M: "was changed", D: "was deleted" } as const;
