import type { CheckEvidence, GuardEvidence } from "../../engine/events.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import type { RunEntry } from "../../host/runs.ts";
import { visible } from "../../plan/visible.ts";
import { refuse, type Io } from "../io.ts";
import { renderEvent } from "../render-event.ts";
import { openRunToRead } from "./select.ts";
import { limits } from "../../limits.ts";

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

function renderWithEvidence(entry: RunEntry): string[] {
  const line = renderEvent(entry);
  if (entry.type === "verdict") return [line, ...entry.guards.map(guardLine), ...entry.checks.flatMap(checkLines)];
  const shown = (entry.type === "baseline" && entry.state === "broken") || entry.type === "final-verified";
  return shown ? [line, ...entry.checks.flatMap(checkLines)] : [line];
}

function guardLine({ guard, path, why }: GuardEvidence): string {
  return visible(`          ${guard}: ${path} ${why}`);
}

function checkLines(check: CheckEvidence): string[] {
  const { label, why, tail } = check;
  const head = visible(`          ${standing(check)}: ${label}${why === "" ? "" : ` (${why})`}`);
  if (check.state === "green" && check.flaky !== true) return [head];
  const lastLines = tail.trimEnd().split("\n").slice(-limits.checkLinesShownMax);
  return tail.trim() === "" ? [head] : [head, ...lastLines.map((text) => visible(`            | ${text}`))];
}

/** What is known of a check besides its colour: that it changed its mind, was not run again, or belongs to another task. */
function standing({ state, flaky, cached, of }: CheckEvidence): string {
  const seen = flaky === true ? `${state}, but flaky` : state;
  return [
    seen,
    ...(cached === true ? ["known from the same tree"] : []),
    ...(of === undefined ? [] : [`of ${of}`]),
  ].join(", ");
}
