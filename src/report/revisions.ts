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

/** What an event makes of its revision; null where it is about none. */
function nextOf(entry: Entry): (Pick<ReportRevision, "revision" | "standing"> & Partial<ReportRevision>) | null {
  switch (entry.type) {
    case "replan-proposed":
      return { revision: entry.revision, standing: "proposed", changes: entry.changes, why: "" };
    case "revision-accepted":
      return { revision: entry.revision, standing: "accepted", changes: entry.changes, by: entry.by };
    case "plan-revised":
      return { revision: entry.revision, standing: "holds", changes: entry.changes, by: entry.by };
    case "replan-failed":
      return { revision: entry.revision, standing: "failed", why: entry.why };
    case "revision-dropped":
      return { revision: entry.revision, standing: "dropped", why: entry.why };
    default:
      return null;
  }
}
