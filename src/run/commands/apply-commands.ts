import { runName, type NamedRun } from "../../engine/run-name.ts";
import { decideCommand, type Command, type Receiver } from "../../engine/commands.ts";
import type { RunEvent } from "../../engine/events.ts";
import type { RunState } from "../../engine/state.ts";
import type { CommandPort, FindApproval } from "./command-port.ts";
import { evolve, fold } from "../../engine/evolve.ts";
import { openJournal, type OpenedJournal } from "../../journal/journal.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Redactor } from "../../base/redact.ts";
import { commandFiles } from "./command-files.ts";
import { lockPlan } from "../../project/driver-lock.ts";
import { runPaths, type Paths } from "../../project/paths.ts";
import type { Machine, ClockPort } from "../../project/machine.ts";
import { redactEvent } from "../../agents/redaction.ts";
import { unjournaledRepairs } from "../../project/runs.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";

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

/** The run a command is for, as far as its sender needs to know it. */
export interface Addressee extends NamedRun {
  readonly paths: Paths;
  readonly machine: Machine;
  /** An answer may contain a secret, and only the settings say which values are secret. */
  readonly redactor: () => Promise<Redactor>;
  readonly approvedRevision: FindApproval;
}

/**
 * Journals what has arrived for a run without a driver, as its driver would; false where another process has the lock.
 * What cannot be journaled throws, and the sender's command is removed: it must not be obeyed after its sender gave up.
 */
export async function drainCommands(to: Addressee, own: string): Promise<Result<boolean>> {
  const { plan, run, machine } = to;
  const lock = lockPlan(to.paths, { plan, purpose: `stint brings a command to run ${runName(to)}` }, machine);
  if (!lock.ok) return lock.failure.reason === "held" ? ok(false) : lock;
  try {
    const redact = await to.redactor();
    const paths = runPaths(to.paths, run);
    const opened = openJournal(machine.files, paths.journal);
    if (!opened.ok) return opened;
    const commands = commandFiles(paths.commands, machine);
    try {
      const repairs = unjournaledRepairs(machine.files, paths.journal, opened.value.entries as readonly RunEntry[]);
      drainInto({ ...opened.value, repairs }, commands, {
        redact,
        clock: machine.clock,
        approvedRevision: to.approvedRevision,
      });
      return ok(true);
    } catch (error) {
      commands.remove(own);
      throw error;
    } finally {
      opened.value.journal.close();
    }
  } finally {
    lock.value.release();
  }
}

function drainInto(
  { journal, entries, repairs }: OpenedJournal & { readonly repairs: readonly RunEvent[] },
  commands: CommandPort,
  {
    redact,
    clock,
    approvedRevision,
  }: { readonly redact: Redactor; readonly clock: ClockPort } & Pick<Addressee, "approvedRevision">,
) {
  const state = fold(entries as readonly RunEntry[]);
  const last = entries.at(-1);
  if (state === undefined || last === undefined)
    throw new Error("Internal error: expected a started run, but was an empty journal");
  const append = (event: RunEvent) => {
    const appended = journal.append(redactEvent(event, redact), clock.now());
    if (!appended.ok) throw new Error(appended.failure.message);
    evolve(state, appended.value);
  };
  repairs.forEach(append);
  applyCommands(commands, { state, append, epoch: last.epoch, pid: null, approvedRevision });
}
