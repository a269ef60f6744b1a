import type { RunEvent } from "../engine/events.ts";
import type { JournalEntry } from "../journal/framing.ts";

/** A line of a run's journal. */
export type RunEntry = JournalEntry & RunEvent;
