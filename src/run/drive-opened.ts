import type { RunState } from "../engine/state.ts";
import { drive, type DriveOptions } from "./drive.ts";
import type { OpenedRun } from "./open-run.ts";

/** Drives an opened run until nothing more can be done, and closes it, however that ended. */
export async function driveOpened(
  { run, close }: OpenedRun,
  options: DriveOptions & { /** Told where the report of the run lies. */ readonly reported?: (path: string) => void },
): Promise<RunState> {
  try {
    return await drive(run, options);
  } finally {
    await run.ports.settle();
    const report = await close(options.signal);
    if (report !== undefined) options.reported?.(report);
  }
}

/** What ends a run in the middle comes from the machine, and the machine's words seldom say how to go on. */
export function withCure(message: string, run: string): string {
  if (message.includes("stint resume")) return message;
  return `${message.trimEnd()}\nNothing that was journaled is lost. Cure that, then run \`stint resume ${run}\`.`;
}
