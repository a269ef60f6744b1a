import type { Entry, ReportRevision } from "./model.ts";

/** What became of each revision of the plan, in their order. */
export function revisionsOf(entries: readonly Entry[]): ReportRevision[] {
  const found = new Map<number, ReportRevision>();
  const blocks = new Map<string, string>();
  for (const entry of entries) {
    if (entry.type === "task-blocked" || entry.type === "replan-requested") blocks.set(entry.task, entry.why);
    if (entry.type === "replan-started") {
      const asked = entry.tasks.map((task) => ({ task, why: blocks.get(task) ?? "" }));
      found.set(entry.revision, { ...begun(entry.revision), at: entry.at, asked });
    }
    const next = nextOf(entry);
    if (next !== null)
      found.set(next.revision, { ...(found.get(next.revision) ?? begun(next.revision)), ...next, at: entry.at });
  }
  return [...found.values()];
}

function begun(revision: number): Omit<ReportRevision, "at"> {
  return { revision, asked: [], changes: [], standing: "asked for", by: null, why: "" };
}

/** What an event changes about its revision; null if it is not about one. */
function nextOf(entry: Entry): (Pick<ReportRevision, "revision" | "standing"> & Partial<ReportRevision>) | null {
  if (entry.type === "replan-proposed")
    return { revision: entry.revision, standing: "proposed", changes: entry.changes, why: "" };
  if (entry.type === "revision-accepted" || entry.type === "plan-revised") {
    const { revision, changes, by } = entry;
    return { revision, standing: entry.type === "plan-revised" ? "holds" : "accepted", changes, by };
  }
  if (entry.type === "replan-failed" || entry.type === "revision-dropped")
    return {
      revision: entry.revision,
      standing: entry.type === "replan-failed" ? "failed" : "dropped",
      why: entry.why,
    };
  return null;
}
