import { noSpending } from "../../engine/spending.ts";
import { realFiles } from "../../journal/file-port.ts";
import { readFrom } from "../../journal/follow.ts";
import { journalStart } from "../../journal/scan.ts";
import type { PlanningEvent } from "../../planning/machine/events.ts";
import type { PlanningPaths } from "../../project/paths.ts";
import { planningTeller } from "../render-planning.ts";
import { openSessionOutput, type OutputStyle, type SessionOutput } from "./session-output.ts";

type Entry = PlanningEvent & { readonly at: string };

/** Prints the events of a planning session and the transcripts of its agents; without a look, only what agents printed, as it is. */
export function tellPlanning(
  paths: Pick<PlanningPaths, "journal" | "session">,
  { events, sessions }: { readonly events: OutputStyle; readonly sessions: OutputStyle },
): SessionOutput {
  let cursor = journalStart;
  let session: SessionOutput | undefined;
  const tell =
    events.look === undefined ? () => [] : planningTeller(events.look, { agentOf: () => null, before: noSpending });
  const hear = (entry: Entry) => {
    if (entry.type === "session-ended") session?.end();
    tell(entry).forEach(events.print);
    if (entry.type === "session-ended") session = undefined;
    if (entry.type === "session-started") {
      const { dir } = paths.session(entry.session, entry.phase);
      session = openSessionOutput(dir, sessions);
    }
  };
  const readOn = () => {
    const read = readFrom(realFiles, paths.journal, cursor);
    if (read.ok) {
      ({ cursor } = read.value);
      (read.value.entries as readonly unknown[] as readonly Entry[]).forEach(hear);
    }
    session?.readOn();
  };
  return {
    readOn,
    end: () => {
      readOn();
      session?.end();
    },
  };
}
