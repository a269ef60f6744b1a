import type { RunEvent } from "../../engine/events.ts";
import { evolve, fold } from "../../engine/evolve.ts";
import type { RunState } from "../../engine/state.ts";
import { openJournal, type OpenedJournal } from "../../journal/journal.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Redactor } from "../../base/redact.ts";
import { applyCommands } from "./apply-commands.ts";
import { commandFiles } from "./command-files.ts";
import { lockPlan } from "../../project/driver-lock.ts";
import { type Paths, runPaths } from "../../project/paths.ts";
import type { Machine } from "../../project/machine.ts";
import type { ClockPort } from "../../project/clock.ts";
import type { CommandPort } from "./command-port.ts";
import type { FindApproval } from "./command-port.ts";
import { redactEvent } from "../../agents/redaction.ts";
import { untoldRepairs } from "../../project/repairs.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";

/** The run a command is for, as far as its sender needs to know it. */
export interface Addressee extends Pick<RunState, "run" | "plan"> {
  readonly paths: Paths;
  readonly machine: Machine;
  /** An answer may hold a secret, and only the settings tell which values are. */
  readonly redactor: () => Promise<Redactor>;
  readonly approvedRevision: FindApproval;
}

/**
 * Journals what has arrived for a run without a driver, as its driver would; false where another process has the lock.
 * What cannot be journaled throws, and the sender's command is removed: it must not be obeyed after its sender gave up.
 */
export async function drainCommands(to: Addressee, own: string): Promise<Result<boolean>> {
  const { plan, run, machine } = to;
  const lock = lockPlan(to.paths, { plan, purpose: `stint brings a command to run ${run}` }, machine);
  if (!lock.ok) return lock.failure.reason === "held" ? ok(false) : lock;
  try {
    const redact = await to.redactor();
    const paths = runPaths(to.paths, run);
    const opened = openJournal(machine.files, paths.journal);
    if (!opened.ok) return opened;
    const commands = commandFiles(paths.commands, machine);
    try {
      const repairs = untoldRepairs(machine.files, paths.journal, opened.value.entries as readonly RunEntry[]);
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
