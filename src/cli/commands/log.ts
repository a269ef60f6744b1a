import { exitCodes } from "../../engine/exit-code.ts";
import { refuse, type Io } from "../io.ts";
import { renderWithEvidence } from "../render-evidence.ts";
import { openRunToRead } from "./select.ts";

interface LogOptions {
  readonly run?: string;
  readonly json?: true;
}

/** Shows what happened to a run or to one task, with what proved each verdict. */
export async function log(io: Io, task: string | undefined, options: LogOptions): Promise<number> {
  const opened = await openRunToRead(io, options.run);
  if (!opened.ok) return refuse(io, opened.failure.code, opened.failure.message);
  const { state, entries, runDir } = opened.value;
  if (task !== undefined && !state.tasks.has(task)) {
    const known = [...state.tasks.keys()].join(", ");
    return refuse(io, exitCodes.usage, `no task ${task} in run ${state.run}. Its tasks: ${known}`);
  }
  const shown = entries.filter((entry) => task === undefined || ("task" in entry && entry.task === task));
  for (const entry of shown) {
    if (options.json === true) io.out(JSON.stringify(entry));
    else for (const line of renderWithEvidence(entry)) io.out(line);
  }
  if (task !== undefined && options.json !== true) io.out(`prompts, output and verdicts: ${runDir}/attempts/${task}.*`);
  return exitCodes.done;
}
