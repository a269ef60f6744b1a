import { runName } from "../../engine/run-name.ts";
import type { Command, Request } from "../../engine/commands.ts";
import { readFrom } from "../../journal/follow.ts";
import { journalStart } from "../../journal/scan.ts";
import { projectLimits } from "../../project/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { createBell, type Bell } from "../../base/bell.ts";
import { commandFiles, type CommandPost } from "./command-files.ts";
import { drainCommands, type Addressee } from "./apply-commands.ts";
import { driverOf } from "../../project/driver-lock.ts";
import { runPaths } from "../../project/paths.ts";
import { realMachine, type Machine } from "../../project/machine.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";
import type { RunState } from "../../engine/state.ts";
import { readCommittedPlan } from "../../approval/committed-plan.ts";
import { approvalOf } from "../../approval/approvals.ts";
import type { Project } from "../../project/project.ts";
import { projectRedactor } from "../../agents/redaction.ts";

/** Returns the address at which a run of the project takes commands. */
export function addressOf(project: Project, { run, number, plan, base }: RunState): Addressee {
  const redactor = async () => {
    const { config } = await readCommittedPlan(project, { commit: base, plan });
    return projectRedactor(project, config);
  };
  const approvedRevision: Addressee["approvedRevision"] = (wanted) => approvalOf(project.paths, run, wanted);
  return { run, number, plan, paths: project.paths, machine: realMachine, redactor, approvedRevision };
}

/** What became of a command: `accepted` and `ignored` are in the journal, `not-accepted` will not be obeyed later. */
export type Sent =
  | {
      readonly kind: "accepted";
      readonly event: RunEntry;
      /** The process that drives the run and obeys; null where there is none, and the journal has it for the next one. */
      readonly driver: number | null;
    }
  /** The run's state refuses it. */
  | { readonly kind: "ignored"; readonly why: string }
  | { readonly kind: "not-accepted"; readonly why: string };

export interface SendOptions {
  readonly request: Request;
  /** Withdraws the command, if it was not taken yet. */
  readonly signal: AbortSignal;
}

/**
 * Brings a command to a run, driven or not, and waits until the journal says what became of it:
 * a driver takes it, or, where there is none, this process does what a driver would.
 */
export async function sendCommand(to: Addressee, options: SendOptions): Promise<Sent> {
  const { machine } = to;
  const paths = runPaths(to.paths, to.run);
  const bell = createBell();
  const unwatch = machine.watch(paths.dir, bell.ring);
  options.signal.addEventListener("abort", bell.ring);
  const sending: Sending = {
    ...options,
    to,
    post: commandFiles(paths.commands, machine),
    journal: followJournal(paths.journal, machine),
    bell,
    until: machine.clock.elapsed() + projectLimits.commandWaitMs,
  };
  try {
    for (;;) {
      const sent = await sendOnce(sending);
      if (sent !== "stale") return sent;
    }
  } finally {
    options.signal.removeEventListener("abort", bell.ring);
    unwatch();
  }
}

interface Sending extends SendOptions {
  readonly to: Addressee;
  readonly post: CommandPost;
  readonly journal: JournalFollower;
  readonly bell: Bell;
  /** Measured by the monotonic clock. */
  until: number;
}

/** Sends to the current driver; "stale" where another process resumed the run meanwhile and there is time to send to that one. */
async function sendOnce(sending: Sending): Promise<Sent | "stale"> {
  const { to, post, journal, request } = sending;
  const id = to.machine.newId();
  const before = journal.look(id);
  if (!before.ok) return notAccepted(before.failure.message);
  const command: Command = { v: 1, id, run: to.run, epoch: journal.epoch(), ...request };
  const written = post.write(command);
  if (!written.ok) return notAccepted(written.failure.message);
  const found = await untilJournaled(sending, id).catch((error: unknown) => {
    post.withdraw(id);
    throw error;
  });
  if (!found.ok) return notAccepted(found.failure.message);
  const event = found.value;
  if (event.type !== "command-ignored") {
    return { kind: "accepted", event, driver: driverOf(to.paths, to.plan, to.machine) };
  }
  return event.stale === true && !isOver(sending) ? "stale" : { kind: "ignored", why: event.why };
}

async function untilJournaled(sending: Sending, id: string): Promise<Result<RunEntry>> {
  let isTaken = false;
  for (;;) {
    const seen = sending.bell.count();
    const found = await lookAndDrain(sending, id);
    if (!found.ok) sending.post.withdraw(id);
    if (!found.ok || found.value !== undefined) return found as Result<RunEntry>;
    if (isOver(sending)) {
      if (sending.post.withdraw(id)) return fail("not-accepted", whyNot(sending));
      if (isTaken) return fail("not-accepted", whyUnknown(sending));
      // Somebody took it: only the journal can say what becomes of it now.
      isTaken = true;
      sending.until = sending.to.machine.clock.elapsed() + projectLimits.commandWaitMs;
    }
    await sending.bell.after(seen);
  }
}

/** The command's entry in the journal. Where no process drives the run, this writes it first. */
async function lookAndDrain({ to, journal }: Sending, id: string): Promise<Result<RunEntry | undefined>> {
  const found = journal.look(id);
  if (!found.ok || found.value !== undefined) return found;
  try {
    const drained = await drainCommands(to, id);
    return drained.ok && drained.value ? journal.look(id) : drained.ok ? found : drained;
  } catch (error) {
    // It may have been another command that could not be journaled, after this one was.
    const journaled = journal.look(id);
    if (journaled.ok && journaled.value !== undefined) return journaled;
    throw error;
  }
}

interface JournalFollower {
  /** The entry of that command, if it came since the last look. */
  readonly look: (command: string) => Result<RunEntry | undefined>;
  /** The state at the last look. */
  readonly epoch: () => number;
}

function followJournal(path: string, { files }: Machine): JournalFollower {
  let cursor = journalStart;
  return {
    look: (command) => {
      const read = readFrom(files, path, cursor);
      if (!read.ok) return read;
      cursor = read.value.cursor;
      const entries = read.value.entries as readonly RunEntry[];
      return ok(entries.find((entry) => "command" in entry && entry.command === command));
    },
    epoch: () => cursor.epoch,
  };
}

function isOver({ to, until, signal }: Sending): boolean {
  return to.machine.clock.elapsed() >= until || signal.aborted;
}

function notAccepted(why: string): Sent {
  return { kind: "not-accepted", why };
}

function whyNot({ to, signal }: Sending): string {
  if (signal.aborted) return "it was withdrawn before any process took it";
  return `${driverName(to)} did not respond within ${projectLimits.commandWaitMs / 1000} s, so the command was withdrawn. Try again, or end that process; \`stint status ${runName(to)}\` shows where the run stands.`;
}

function whyUnknown({ to }: Sending): string {
  return `${driverName(to)} took it and has not reported the result. \`stint log --run ${runName(to)}\` will show it.`;
}

function driverName({ paths, plan, machine }: Addressee): string {
  const pid = driverOf(paths, plan, machine);
  return pid === null ? `the process that has plan ${plan}` : `process ${pid}, which runs plan ${plan},`;
}
