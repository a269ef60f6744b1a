import { localStamp } from "../base/local-time.ts";
import type { Entry, ReportRevision, RunReport } from "./model.ts";
import { reportLimits } from "./limits.ts";
import { plural } from "../base/plural.ts";
import { unreachable } from "../base/result.ts";
import { bounded, code, prose } from "./markdown.ts";

/** Collects what became of each revision of the plan, in their order. */
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

/** Returns what an event changes about its revision; null if it is not about one. */
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

/** Says how the plan changed during the run, why, and who approved it; it is empty if the plan did not change. */
export function renderRevisions({ revisions, retired }: RunReport): readonly string[] {
  if (revisions.length === 0) return [];
  const lines = [
    ...revisions.map(revisionLine),
    ...retired.map(({ id, attempts }) => {
      const tried = attempts.length === 0 ? "it had not started" : `it had ${plural(attempts.length, "attempt")}`;
      return `- ${code(id)} is no longer part of the plan; ${tried}: ${code(`stint log ${id}`)}`;
    }),
  ];
  const leftOut = (count: number) => `- …and ${count} more: \`stint log\` lists them.`;
  const charsMax = reportLimits.reportCharsMax * 0.03;
  return ["## Revisions of the plan", bounded(lines, (line) => line, { charsMax, leftOut }).join("\n")];
}

function revisionLine(revision: ReportRevision): string {
  const { at, changes } = revision;
  const what = changes.map(({ id, change }) => `${code(id)} ${change}`).join(", ");
  const changed = what === "" ? "" : ` ${what}.`;
  return `- Revision ${revision.revision}, ${askedText(revision)}:${changed} ${standingText(revision)} (${code(localStamp(at))})`;
}

function askedText({ asked }: ReportRevision): string {
  if (asked.length === 0) return "requested by a person";
  const tasks = asked.map(({ task, why }) => `${code(task)}${why === "" ? "" : ` (${prose(why)})`}`);
  return `requested because of ${tasks.join(", ")}`;
}

function standingText({ standing, by, why }: ReportRevision): string {
  const who = by === null ? "the settings (no person)" : prose(by);
  switch (standing) {
    case "asked for":
      return "A planner is working on it";
    case "proposed":
      return "It is waiting for your approval and is not in effect";
    case "accepted":
      return `Accepted by ${who}; it takes effect once no task that it changes is in progress`;
    case "holds":
      return `Accepted by ${who}; in effect`;
    case "failed":
      return `Replanning failed: ${prose(why)}`;
    case "dropped":
      return `Not in effect: ${prose(why)}`;
    default:
      return unreachable(standing);
  }
}
