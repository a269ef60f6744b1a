import { realFiles } from "../journal/file-port.ts";
import { openJournal, type Journal, type OpenFailure } from "../journal/journal.ts";
import type { PlanningEvent } from "./machine/events.ts";
import { evolvePlanning, foldPlanning } from "./machine/evolve.ts";
import type { PlanningState } from "./machine/state.ts";
import type { Redactor } from "../base/redact.ts";
import { ok, type Result } from "../base/result.ts";
import { realMachine } from "../project/machine.ts";
import { redactEvent } from "../agents/redaction.ts";
import type { PlanningObserver } from "./ports.ts";

/** The open journal of a planning session and the state it records, which is undefined where nothing has happened yet. */
export interface PlanningJournal {
  readonly journal: Journal;
  readonly state: PlanningState | undefined;
}

/** Opens the journal of a planning session, which may be new; the caller holds its lock. */
export function openPlanningJournal(path: string): Result<PlanningJournal, OpenFailure> {
  const opened = openJournal(realFiles, path);
  if (!opened.ok) return opened;
  const entries = opened.value.entries as readonly unknown[] as readonly PlanningEvent[];
  return ok({ journal: opened.value.journal, state: foldPlanning(entries) });
}

/** An event as observers receive it. */
type Recorded = Parameters<PlanningObserver>[0];

interface Recording {
  /** Kept up to date by `append`. */
  readonly state: PlanningState;
  readonly append: (event: PlanningEvent) => void;
  /** Passes on all that was recorded here so far, and from now on. */
  readonly watch: (observe: PlanningObserver) => void;
}

/** Records that a planning session starts or resumes, and then all that happens: on the disk, in the state, to the observer. */
export function recordPlanning(
  { journal, state: before }: PlanningJournal,
  { first, redact }: { readonly first: PlanningEvent; readonly redact: Redactor },
): Recording {
  const unheard: Recorded[] = [];
  let observe: PlanningObserver = (event) => void unheard.push(event);
  const record = (happened: PlanningEvent): Recorded => {
    const appended = journal.append(redactEvent(happened, redact), realMachine.clock.now());
    // Fail-stop: an event that is not durable did not happen, and nothing may be built on it.
    if (!appended.ok) throw new Error(appended.failure.message);
    return appended.value;
  };
  const started = record(first);
  const state = { ...evolvePlanning(before, started) };
  observe(started);
  return {
    state,
    append: (happened) => {
      const event = record(happened);
      Object.assign(state, evolvePlanning(state, event));
      observe(event);
    },
    watch: (observer) => {
      observe = observer;
      unheard.splice(0).forEach(observer);
    },
  };
}
