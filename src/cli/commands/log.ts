import { join } from "node:path";
import { exitCodes } from "../../engine/exit-code.ts";
import { printedLines } from "../../run/activity.ts";
import { runPaths } from "../../project/paths.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";
import { cliLimits } from "../limits.ts";
import { refuse, refuseWith, type Io } from "../io.ts";
import { quoted, renderWithEvidence } from "../render-event.ts";
import { openRunToRead } from "./select.ts";

interface LogOptions {
  readonly run?: string;
  readonly json?: true;
}

/** `stint log`: shows what happened to a run or to one task, with the evidence of each verdict. */
export async function log(io: Io, task: string | undefined, options: LogOptions): Promise<number> {
  const opened = await openRunToRead(io, options.run);
  if (!opened.ok) return refuseWith(io, opened.failure);
  const { state, entries, paths, runDir } = opened.value;
  const isKnown = (id: string) => state.tasks.has(id) || state.replanning.retired.has(id);
  if (task !== undefined && !isKnown(task)) {
    const known = [...state.tasks.keys()].join(", ");
    return refuse(io, exitCodes.usage, `no task ${task} in run ${state.run}. Its tasks: ${known}`);
  }
  const shown = entries.filter((entry) => task === undefined || ("task" in entry && entry.task === task));
  for (const entry of shown) {
    if (options.json === true) io.out(JSON.stringify(entry));
    else [...renderWithEvidence(entry), ...lastWords(entry, runPaths(paths, state.run))].forEach(io.out);
  }
  if (task !== undefined && options.json !== true) io.out(`prompts, output and verdicts: ${runDir}/attempts/${task}.*`);
  return exitCodes.done;
}

/** Quotes the end of the output of a session that ended badly: its exit code alone explains nothing. */
function lastWords(entry: RunEntry, paths: ReturnType<typeof runPaths>): string[] {
  if (entry.type !== "agent-finished" || !["crashed", "timeout", "idle"].includes(entry.outcome.kind)) return [];
  const lines = printedLines(join(paths.attempt(entry), "output.log")).filter((line) => line.trim() !== "");
  return quoted(lines.slice(-cliLimits.checkLinesShownMax));
}
