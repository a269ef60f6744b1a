import type { EventOf, RunEvent, RunSettings } from "../engine/events.ts";
import { evolve, fold } from "../engine/evolve.ts";
import type { RunState } from "../engine/state.ts";
import { openJournal, type Journal, type OpenedJournal, type OpenFailure } from "../journal/journal.ts";
import { ok, type Result } from "../base/result.ts";
import type { Redactor } from "../base/redact.ts";
import { createBell } from "../base/bell.ts";
import type { Machine } from "../project/machine.ts";
import type { DocumentPort } from "./ports.ts";
import { progressKeeper } from "./progress.ts";
import { redactEvent } from "../agents/redaction.ts";
import { unjournaledRepairs } from "../project/runs.ts";
import type { Run } from "./run.ts";
import type { RunEntry } from "../hooks/run-entry.ts";

/** Is called with every event once it is durable, and with the state that it led to. */
export type Observer = (entry: RunEntry, state: RunState | undefined) => void;

/** A run's journal, opened to append to, and the state it leads to. */
export interface OpenedRunJournal extends OpenedJournal {
  readonly state: RunState;
  /** These events are journaled before anything else. */
  readonly repairs: readonly EventOf<"journal-repaired">[];
}

/** Writes the first events of a run into a new journal. */
export function beginJournal(
  { files, clock }: Machine,
  { path, observe }: { readonly path: string; readonly observe: Observer },
  events: readonly RunEvent[],
): Result<{ readonly journal: Journal; readonly state: RunState }> {
  const opened = openJournal(files, path);
  if (!opened.ok) return opened;
  const { journal } = opened.value;
  let state: RunState | undefined;
  for (const event of events) {
    const appended = journal.append(event, clock.now());
    if (!appended.ok) return appended;
    state = evolve(state, appended.value);
    observe(appended.value, state);
  }
  return ok({ journal, state: expectState(state, path) });
}

/** Opens the journal of a run that has started. The caller holds the plan's lock. */
export function openRunJournal({ files }: Machine, path: string): Result<OpenedRunJournal, OpenFailure> {
  const opened = openJournal(files, path);
  if (!opened.ok) return opened;
  const entries = opened.value.entries as readonly RunEntry[];
  const state = expectState(fold(entries), path);
  return ok({ ...opened.value, state, repairs: unjournaledRepairs(files, path, entries) });
}

/** All that a run is made of, but for what follows from its journal. */
export interface Parts extends Omit<Run, "live" | "epoch" | "append" | "stillOwn" | "isPoisoned" | "bell"> {
  readonly journal: Journal;
  readonly observe: Observer;
  readonly redact: Redactor;
}

export interface AssembledRun extends Run {
  /** Ends the notes beside the journal, while that is still open. */
  readonly endNotes: () => void;
}

/** Puts a run together so that every event reaches its journal first, then its state, then those who watch. */
export function assembleRun({ journal, observe, redact, ...parts }: Parts): AssembledRun {
  const { state, ports } = parts;
  const bell = createBell();
  const progress = progressKeeper(ports, { state, stillOwn: () => journal.stillOwn().ok });
  const append = (happened: RunEvent) => {
    const event = redactEvent(happened, redact);
    const appended = journal.append(event, ports.clock.now());
    // Fail-stop: an event that is not durable did not happen, and nothing may be built on it.
    expectOk(appended);
    evolve(state, appended.value);
    observe(appended.value, state);
    noteForPeople(ports.documents, event);
    progress.note(event);
    bell.ring();
  };
  const stillOwn = () => expectOk(journal.stillOwn());
  const own = { epoch: journal.epoch, append, stillOwn, isPoisoned: () => journal.isPoisoned };
  return { ...parts, ...own, live: new Map(), bell, endNotes: progress.end };
}

function expectOk<T>(result: Result<T>): asserts result is { readonly ok: true; readonly value: T } {
  if (!result.ok) throw new Error(result.failure.message);
}

/** Journals that this process drives the run from now on, and ends what checks of a dead driver left running. */
export async function recordResume(
  run: Run,
  { repairs }: Pick<OpenedRunJournal, "repairs">,
  settings: RunSettings,
): Promise<void> {
  repairs.forEach((repair) => run.append(repair));
  run.append({ type: "resumed", why: "driver-started", pid: run.pid, settings });
  await run.ports.rooms.sweep();
}

/** The journal has it already: a document that cannot be written, on a full disk say, must not undo a session. */
function noteForPeople(documents: DocumentPort, event: RunEvent) {
  if (event.type !== "verdict" && event.type !== "agent-finished") return;
  const [name, content] = event.type === "verdict" ? ["verdict.json", event] : ["report.json", event.report];
  if (content === null) return;
  try {
    documents.write(`${documents.attemptDir(event)}/${name}`, JSON.stringify(content, null, 2) + "\n");
  } catch {
    return;
  }
}

function expectState(state: RunState | undefined, path: string): RunState {
  if (state === undefined) throw new Error(`Internal error: expected a started run, but ${path} has no events`);
  return state;
}
