import { mkdirSync } from "node:fs";
import { openPlanningJournal } from "../../src/planning/journal.ts";
import type { PlanningEvent } from "../../src/planning/machine/events.ts";
import { planningPaths } from "../../src/project/paths.ts";
import type { Project } from "../../src/project/project.ts";

/** Writes the journal of a planning session with these events. */
export function recordPlanning({ paths }: Project, id: string, events: readonly PlanningEvent[]): void {
  const { dir, journal } = planningPaths(paths, id);
  mkdirSync(dir, { recursive: true });
  const opened = openPlanningJournal(journal);
  if (!opened.ok) throw new Error(opened.failure.message);
  for (const event of events) {
    const appended = opened.value.journal.append(event, "2026-11-16T10:00:00.000Z");
    if (!appended.ok) throw new Error(appended.failure.message);
  }
  opened.value.journal.close();
}
