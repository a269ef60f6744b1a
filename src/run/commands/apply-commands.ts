import { decideCommand, type Command, type Receiver } from "../../engine/commands.ts";
import type { RunEvent } from "../../engine/events.ts";
import type { RunState } from "../../engine/state.ts";
import type { CommandPort, FindApproval } from "./command-port.ts";

/** The run whose journal gets the command. The caller holds the plan's lock. */
export interface CommandTarget extends Omit<Receiver, "approvedRevision"> {
  readonly approvedRevision: FindApproval;
  readonly state: RunState;
  /** Durable when it returns; the state has the event then. */
  readonly append: (event: RunEvent) => void;
}

/** Journals each command that has arrived, once, and only then forgets its file: after a crash in between, the journal knows it. */
export function applyCommands(
  commands: CommandPort,
  { state, append, approvedRevision, ...receiver }: CommandTarget,
): void {
  for (const { id, command } of commands.take()) {
    if (!state.commands.has(id)) {
      const ignored = { type: "command-ignored", command: id, kind: "unknown" } as const;
      const decided = (sent: Command) => {
        const approved = sent.kind === "revise" ? approvedRevision(sent) : null;
        return decideCommand(state, sent, { ...receiver, approvedRevision: approved });
      };
      append(command.ok ? decided(command.value) : { ...ignored, why: command.failure.message });
    }
    if (command.ok) commands.remove(id);
    else commands.setAside(id);
  }
}
