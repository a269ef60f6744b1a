import { readdirSync } from "node:fs";
import type { RunEvent } from "../engine/events.ts";
import { fold } from "../engine/evolve.ts";
import type { RunState } from "../engine/state.ts";
import { realFiles } from "../journal/file-port.ts";
import { readFrom } from "../journal/follow.ts";
import type { JournalEntry } from "../journal/framing.ts";
import { journalStart } from "../journal/scan.ts";
import { ok, type Result } from "../result.ts";
import { runLayout, type Layout } from "./layout.ts";

export type RunEntry = JournalEntry & RunEvent;

/** A run as its journal tells it, read without taking part in it. */
export interface ReadRun {
  readonly id: string;
  readonly entries: readonly RunEntry[];
  /** Undefined for a run that died before its first event. */
  readonly state: RunState | undefined;
}

const runId = /^(\d{8}-\d{6})-([a-z0-9][a-z0-9-]{0,63})-[0-9a-z]{4}$/;

/** Run ids, oldest first: their names begin with the time they were made. */
export function listRuns(layout: Layout, plan?: string): string[] {
  const names = readdirSync(layout.runs).filter((name) => runId.test(name));
  return names.filter((name) => plan === undefined || runId.exec(name)?.[2] === plan).toSorted();
}

export function newRunId(plan: string, now: string, random: string): string {
  const digits = now.replace(/\D/g, "");
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${plan}-${random}`;
}

export function readRun(layout: Layout, id: string): Result<ReadRun> {
  const read = readFrom(realFiles, runLayout(layout, id).journal, journalStart);
  if (!read.ok) return read.failure.reason === "missing" ? ok({ id, entries: [], state: undefined }) : read;
  const entries = read.value.entries as readonly RunEntry[];
  return ok({ id, entries, state: fold(entries) });
}

/** The newest run of a plan that got as far as its first event. */
export function newestRun(layout: Layout, plan?: string): Result<ReadRun | undefined> {
  for (const id of listRuns(layout, plan).toReversed()) {
    const run = readRun(layout, id);
    if (!run.ok) return run;
    if (run.value.state !== undefined) return run;
  }
  return ok(undefined);
}
