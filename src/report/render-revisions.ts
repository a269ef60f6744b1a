import { reportLimits } from "./limits.ts";
import { plural } from "../base/plural.ts";
import { unreachable } from "../base/result.ts";
import { bounded, code, prose } from "./markdown.ts";
import type { ReportRevision, RunReport } from "./model.ts";

/** How the plan changed during the run: what, why and approved by whom; nothing if it did not. */
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
  return `- Revision ${revision.revision}, ${askedText(revision)}:${changed} ${standingText(revision)} (${code(at)})`;
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
