import { exitCodes } from "../../engine/exit-code.ts";
import { summarise, type RunSummary, type TaskStanding } from "../../engine/summary.ts";
import { isDriven } from "../../host/driver-lock.ts";
import { visible } from "../../plan/visible.ts";
import { refuse, type Io } from "../io.ts";
import { openRunToRead } from "./select.ts";

/** Shows where a run stands, from its journal alone. */
export async function status(io: Io, runId: string | undefined, options: { readonly json?: true }): Promise<number> {
  const opened = await openRunToRead(io, runId);
  if (!opened.ok) return refuse(io, opened.failure.code, opened.failure.message);
  const { layout, state } = opened.value;
  const summary = summarise(state, isDriven(layout, state.plan));
  if (options.json === true) io.out(JSON.stringify(summary));
  else for (const line of renderStatus(summary)) io.out(visible(line));
  return exitCodes.done;
}

const marks: Record<TaskStanding, string> = {
  pending: "[ ]",
  running: "[>]",
  verifying: "[?]",
  integrated: "[x]",
  satisfied: "[=]",
  blocked: "[!]",
};

export function renderStatus(summary: RunSummary): string[] {
  const width = Math.max(...summary.tasks.map((task) => task.id.length));
  const tasks = summary.tasks.flatMap((task) => {
    const commit = task.commit === null ? "" : ` ${task.commit.slice(0, 12)}`;
    const tries = task.attempts > 1 ? ` (${task.attempts} attempts)` : "";
    const line = `  ${marks[task.state]} ${task.id.padEnd(width)}  ${task.title}${commit}${tries}`;
    return task.reason === null ? [line] : [line, `      ${" ".repeat(width)}${task.reason}`];
  });
  const reason = summary.reason === null ? "" : ` (${summary.reason})`;
  const branch = summary.published ? summary.branch : `${summary.branch}, not moved yet`;
  const { usd, input_tokens, output_tokens } = summary.cost;
  const spent =
    usd > 0 || input_tokens > 0 ? [`cost: ${usd.toFixed(2)} USD, ${input_tokens} + ${output_tokens} tokens`] : [];
  return [
    `run ${summary.run}: ${summary.state}${reason}`,
    ...tasks,
    `branch: ${branch} at ${summary.tip.slice(0, 12)}`,
    ...spent,
  ];
}
