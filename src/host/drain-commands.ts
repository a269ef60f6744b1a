import type { RunEvent } from "../engine/events.ts";
import { evolve, fold } from "../engine/evolve.ts";
import type { RunState } from "../engine/state.ts";
import { realFiles } from "../journal/file-port.ts";
import { openJournal, type OpenedJournal } from "../journal/journal.ts";
import { ok, type Result } from "../result.ts";
import type { Redactor } from "../redact.ts";
import { applyCommands } from "./apply-commands.ts";
import { realClock } from "./clock.ts";
import { commandFiles } from "./command-files.ts";
import { readCommittedPlan } from "./committed-plan.ts";
import { lockPlan } from "./driver-lock.ts";
import { runLayout } from "./layout.ts";
import type { CommandPort } from "./ports.ts";
import type { Project } from "./project.ts";
import { projectRedactor, redactEvent } from "./redaction.ts";
import type { RunEntry } from "./runs.ts";

/** The run a command is for, as far as its sender needs to know it. */
export type Addressee = Pick<RunState, "run" | "plan" | "base">;

/**
 * Journals what has arrived for a run that nobody drives, as its driver would; false where somebody has the plan's lock.
 * What cannot be journaled throws, and the sender's own command is gone then: nobody may obey it after its sender gave up.
 */
export async function drainCommands(project: Project, to: Addressee, own: string): Promise<Result<boolean>> {
  const lock = lockPlan(project.layout, to.plan, `stint brings a command to run ${to.run}`);
  if (!lock.ok) return lock.failure.reason === "held" ? ok(false) : lock;
  try {
    // An answer may hold a secret, and only the settings tell which values are.
    const { config } = await readCommittedPlan(project, { commit: to.base, plan: to.plan });
    const redact = await projectRedactor(project, config);
    const layout = runLayout(project.layout, to.run);
    const opened = openJournal(realFiles, layout.journal);
    if (!opened.ok) return opened;
    const commands = commandFiles(layout.commands);
    try {
      drainInto(opened.value, commands, redact);
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

function drainInto({ journal, entries, repaired }: OpenedJournal, commands: CommandPort, redact: Redactor) {
  const state = fold(entries as readonly RunEntry[]);
  const last = entries.at(-1);
  if (state === undefined || last === undefined)
    throw new Error("Internal error: expected a started run, but was an empty journal");
  const append = (event: RunEvent) => {
    const appended = journal.append(redactEvent(event, redact), realClock.now());
    if (!appended.ok) throw new Error(appended.failure.message);
    evolve(state, appended.value);
  };
  if (repaired !== undefined) append({ type: "journal-repaired", bytes: repaired.bytes, keptAt: repaired.keptAt });
  applyCommands(commands, { state, append, epoch: last.epoch, pid: null });
}
