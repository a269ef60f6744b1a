import { randomUUID } from "node:crypto";
import type { Command, Request } from "../engine/commands.ts";
import { realFiles } from "../journal/file-port.ts";
import { readFrom } from "../journal/follow.ts";
import { journalStart } from "../journal/scan.ts";
import { limits } from "../limits.ts";
import { fail, ok, type Result } from "../result.ts";
import { createBell, type Bell } from "./bell.ts";
import { commandFiles, type CommandPost } from "./command-files.ts";
import { drainCommands, type Addressee } from "./drain-commands.ts";
import { driverOf } from "./driver-lock.ts";
import { runLayout } from "./layout.ts";
import type { Project } from "./project.ts";
import type { RunEntry } from "./runs.ts";
import { watchFolder } from "./watch-folder.ts";

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
export async function sendCommand(project: Project, to: Addressee, options: SendOptions): Promise<Sent> {
  const layout = runLayout(project.layout, to.run);
  const bell = createBell();
  const unwatch = watchFolder(layout.dir, bell.ring);
  options.signal.addEventListener("abort", bell.ring);
  const sending: Sending = {
    ...options,
    project,
    to,
    post: commandFiles(layout.commands),
    journal: followJournal(layout.journal),
    bell,
    until: performance.now() + limits.commandWaitMs,
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
  readonly project: Project;
  readonly to: Addressee;
  readonly post: CommandPost;
  readonly journal: JournalFollower;
  readonly bell: Bell;
  /** By the clock that no one can set. */
  until: number;
}

/** To whoever has the run now; "stale" where another process took it up meanwhile, and there is time to tell that one. */
async function sendOnce(sending: Sending): Promise<Sent | "stale"> {
  const { project, to, post, journal, request } = sending;
  const id = randomUUID();
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
    return { kind: "accepted", event, driver: driverOf(project.layout, to.plan) };
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
      sending.until = performance.now() + limits.commandWaitMs;
    }
    await sending.bell.after(seen);
  }
}

/** The command's entry, also where it has to be made first because nobody drives the run. */
async function lookAndDrain({ project, to, journal }: Sending, id: string): Promise<Result<RunEntry | undefined>> {
  const found = journal.look(id);
  if (!found.ok || found.value !== undefined) return found;
  const drained = await drainCommands(project, to, id);
  return drained.ok && drained.value ? journal.look(id) : drained.ok ? found : drained;
}

interface JournalFollower {
  /** The entry of that command, if it came since the last look. */
  readonly look: (command: string) => Result<RunEntry | undefined>;
  /** At the last look. */
  readonly epoch: () => number;
}

function followJournal(path: string): JournalFollower {
  let cursor = journalStart;
  return {
    look: (command) => {
      const read = readFrom(realFiles, path, cursor);
      if (!read.ok) return read;
      cursor = read.value.cursor;
      const entries = read.value.entries as readonly RunEntry[];
      return ok(entries.find((entry) => "command" in entry && entry.command === command));
    },
    epoch: () => cursor.epoch,
  };
}

function isOver({ until, signal }: Sending): boolean {
  return performance.now() >= until || signal.aborted;
}

function notAccepted(why: string): Sent {
  return { kind: "not-accepted", why };
}

function whyNot({ project, to, signal }: Sending): string {
  if (signal.aborted) return "it was withdrawn before any process took it";
  return `${driverName(project, to)} did not take it within ${limits.commandWaitMs / 1000} s, so it was withdrawn. Try again, or end that process; \`stint status ${to.run}\` shows where the run stands.`;
}

function whyUnknown({ project, to }: Sending): string {
  return `${driverName(project, to)} took it and has not said what became of it. \`stint log --run ${to.run}\` will show it.`;
}

function driverName({ layout }: Project, { plan }: Addressee): string {
  const pid = driverOf(layout, plan);
  return pid === null ? `the process that holds plan ${plan}` : `process ${pid}, which drives plan ${plan},`;
}
