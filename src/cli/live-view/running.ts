import type { Phase, RunState, TaskState } from "../../engine/state.ts";
import { idleReason } from "../../engine/summary.ts";
import { whyInLine } from "../../engine/waiting.ts";
import type { Snapshot } from "./snapshot.ts";
import { shown } from "./format.ts";

/** One running task, or the final tip of the plan. */
export interface RunningRow {
  readonly id: string;
  readonly title: string;
  readonly attempt: number;
  /** One word. */
  readonly phase: string;
  /** What is happening there: the agent's own words while one is working. */
  readonly line: string;
  /** The tokens of the running session; null if there is none. */
  readonly tokens: number | null;
  readonly elapsedMs: number | null;
  readonly estimateMs: number | null;
}

/** The running tasks in the order in which their attempts started, so that rows stay where they are. */
export function runningRows(snapshot: Snapshot): RunningRow[] {
  const { state, record, sessions } = snapshot;
  if (state.finished !== null) return [];
  const isIdle = snapshot.driver === null || state.paused;
  const byTask = new Map(sessions.map((session) => [session.task, session]));
  const begun = (id: string) => record.attempts.get(id) ?? 0;
  const ids = [...state.active].toSorted((a, b) => begun(a) - begun(b));
  const rows = ids.flatMap((id) => {
    const task = state.tasks.get(id);
    if (task === undefined) return [];
    const session = byTask.get(id);
    const line = isIdle ? idleReason : whatOf(state, task, session?.line ?? "");
    return [
      {
        id,
        title: shown(task.spec.title),
        attempt: task.attempts,
        phase: isIdle ? "idle" : (phases[task.phase] ?? task.phase),
        line: shown(line),
        tokens: session === undefined ? null : session.inputTokens + session.outputTokens,
        elapsedMs: isIdle || !record.attempts.has(id) ? null : snapshot.now - begun(id),
        estimateMs: task.spec.estimateMs,
      },
    ];
  });
  return [...rows, ...(isIdle ? [] : finalRow(snapshot, byTask.get(null)))];
}

const phases: Partial<Record<Phase, string>> = {
  started: "baseline",
  baselined: "setting up",
  working: "working",
  ended: "collecting",
  rescued: "collecting",
  candidate: "verifying",
  judging: "judging",
  passed: "verified",
  integrating: "integrating",
  exhausted: "giving up",
};

function whatOf(state: RunState, task: TaskState, said: string): string {
  const { phase } = task;
  if (phase === "working" || said !== "") return said;
  if (phase === "started") return "running its checks before any work: they must fail";
  if (!state.queue.has(task.spec.id)) return "";
  const isLanding = phase === "passed" || phase === "integrating";
  return (
    whyInLine(state, task) ?? (isLanding ? "landing on the run's branch" : "running its checks in a clean checkout")
  );
}

/** The id shown for the final tip. */
export const finalId = "final tip";

/** Once no task is left, the whole plan is verified. */
function finalRow({ state, record, now }: Snapshot, session: Snapshot["sessions"][number] | undefined): RunningRow[] {
  const { integrated, satisfied } = state.counts;
  if (integrated + satisfied < state.tasks.size || state.parked !== null) return [];
  const row = { id: finalId, title: "", attempt: 0, estimateMs: null, elapsedMs: now - record.last };
  const tokens = session === undefined ? null : session.inputTokens + session.outputTokens;
  const { judging, finalVerified, tip } = state;
  const isJudged = judging?.checked.tip === tip;
  if (isJudged) return [{ ...row, phase: "judging", tokens, line: shown(session?.line ?? "") }];
  const isRed = finalVerified?.tip === tip && !finalVerified.ok;
  const [phase, line] = isRed
    ? ["tracing", "which commit broke a check"]
    : ["verifying", "all checks of the plan, the rules and the tasks"];
  return [{ ...row, phase, tokens, line }];
}
