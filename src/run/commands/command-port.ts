import type { ApprovedRevision, Command } from "../../engine/commands.ts";
import type { Failure, Result } from "../../base/result.ts";

/** Commands that other processes send to this run; their files are taken, never followed or waited for. */
export interface CommandPort {
  /** Returns the commands that arrived and can no longer be withdrawn, including those that a dead driver had taken. */
  readonly take: () => readonly ArrivedCommand[];
  /** Forgets one that the journal has. */
  readonly remove: (id: string) => void;
  /** Puts away what is no command, for people to look at. */
  readonly setAside: (id: string) => void;
  /** Calls `wake` whenever something may have arrived, until the returned function is called. */
  readonly watch: (wake: () => void) => () => void;
}

export interface ArrivedCommand {
  /** The name of its file. */
  readonly id: string;
  readonly command: Result<Command, Failure<"no-command">>;
}

/** Finds a person's approval of exactly this revision. It is read anew each time; null where there is none. */
export type FindApproval = (wanted: { readonly commit: string; readonly planHash: string }) => ApprovedRevision | null;
