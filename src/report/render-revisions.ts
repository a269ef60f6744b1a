import { reportLimits } from "./limits.ts";
import { plural } from "../base/plural.ts";
import { unreachable } from "../base/result.ts";
import { bounded, code, prose } from "./markdown.ts";
import type { ReportRevision, RunReport } from "./model.ts";

/** How the plan changed under way: what, why and by whose word; nothing where it did not. */
export function renderRevisions({ revisions, retired }: RunReport): readonly string[] {
  if (revisions.length === 0) return [];
  const lines = [
    ...revisions.map(revisionLine),
    ...retired.map(({ id, attempts }) => {
      const tried = attempts.length === 0 ? "nobody had begun it" : `it had ${plural(attempts.length, "attempt")}`;
      return `- ${code(id)} is no task of the plan any more; ${tried}: ${code(`stint log ${id}`)}`;
    }),
  ];
  const leftOut = (count: number) => `- …and ${count} more: \`stint log\` tells them.`;
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
  if (asked.length === 0) return "asked for by a person";
  const tasks = asked.map(({ task, why }) => `${code(task)}${why === "" ? "" : ` (${prose(why)})`}`);
  return `asked for because of ${tasks.join(", ")}`;
}

function standingText({ standing, by, why }: ReportRevision): string {
  const who = by === null ? "the settings, no person" : prose(by);
  switch (standing) {
    case "asked for":
      return "A planner works on it";
    case "proposed":
      return "It waits for a person's word and does not hold";
    case "accepted":
      return `Accepted by ${who}; it holds as soon as no task that it changes is under way`;
    case "holds":
      return `Accepted by ${who}; it holds`;
    case "failed":
      return `No other plan came of it: ${prose(why)}`;
    case "dropped":
      return `It does not hold: ${prose(why)}`;
    default:
      return unreachable(standing);
  }
}
