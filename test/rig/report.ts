import type { RunEvent } from "../../src/engine/events.ts";
import type { Entry, Facts } from "../../src/report/model.ts";

/** What a report is told besides a journal, where nobody drives the run. */
export function factsOf(entries: readonly Entry[]): Facts {
  const started = entries.find((entry) => entry.type === "run-started");
  if (started?.type !== "run-started") throw new Error("expected a run that has started");
  const { run } = started;
  return {
    driven: false,
    control: "/repo/.git/stint/control.git",
    runRef: `refs/stint/runs/${run}`,
    rescueRef: ({ task, attempt }) => `refs/stint/rescue/${run}/${task}/${attempt}`,
  };
}

/** Events as a journal has them, one second after another. */
export function journaled(events: readonly RunEvent[]): Entry[] {
  return events.map((event, at) => ({
    ...event,
    seq: at + 1,
    epoch: 1,
    at: new Date(1_800_000_000_000 + at * 1_000).toISOString(),
  }));
}
