import type { Phase, RunState, TaskState, Question } from "../../engine/state.ts";
import { idleReason } from "../../engine/summary.ts";
import { whyInLine, blockedRoots, whyPending } from "../../engine/waiting.ts";
import { answerCommands } from "../../report/next-steps.ts";
import { runningText } from "../render-running.ts";
import { cliLimits } from "../limits.ts";
import type { Snapshot, RunHistory } from "./history.ts";
import { shown } from "./format.ts";

/** One running task, or the final tip of the plan. */
export interface RunningRow {
  readonly id: string;
  readonly title: string;
  readonly attempt: number;
  /** The phase in one word. */
  readonly phase: string;
  /** What is happening there: the agent's own words while one is working. */
  readonly line: string;
  /** The tokens of the running session; null if there is none. */
  readonly tokens: number | null;
  readonly elapsedMs: number | null;
  readonly estimateMs: number | null;
}

/** A task or a revised plan that waits for a person: why, and what to type. */
export interface NeedRow {
  readonly id: string;
  readonly kind: "blocked" | "asks" | "yours";
  readonly why: string;
  readonly type: readonly string[];
}

/** A task that has not started. */
export interface NextRow {
  readonly id: string;
  readonly title: string;
  /** Computed only for rows that are shown: finding a running task that may touch the same files takes time. */
  readonly why: () => string;
}

/** One task that is done. */
export interface FinishedRow {
  readonly id: string;
  readonly title: string;
  /** Null if its checks passed before any work. */
  readonly commit: string | null;
  readonly attempts: number;
  readonly tookMs: number;
}

/** Lists the running tasks in the order in which their attempts started, so that rows stay where they are. */
export function runningRows(snapshot: Snapshot): RunningRow[] {
  const { state, record, sessions, commands, now } = snapshot;
  if (state.finished !== null) return [];
  const isOver = snapshot.driver === null || state.paused;
  const byTask = new Map(sessions.map((session) => [session.task, session]));
  const begun = (id: string) => record.attempts.get(id) ?? 0;
  const ids = [...state.active].toSorted((a, b) => begun(a) - begun(b));
  const rows = ids.flatMap((id) => {
    const task = state.tasks.get(id);
    if (task === undefined) return [];
    const session = byTask.get(id);
    const isIdle = snapshot.driver === null || (state.paused && !state.finishing.has(id));
    const said = commandText(commands, id, now) || (session?.line ?? "");
    const line = isIdle ? idleReason(task) : whatOf(state, task, said);
    return [
      {
        id,
        title: shown(task.spec.title),
        attempt: task.attempts,
        phase: isIdle ? "idle" : (phases[task.phase] ?? task.phase),
        line: shown(line),
        tokens: session === undefined ? null : session.inputTokens + session.outputTokens,
        elapsedMs: isIdle || !record.attempts.has(id) ? null : now - begun(id),
        estimateMs: task.spec.estimateMs,
      },
    ];
  });
  const ofPlan = byTask.get(null);
  return [...rows, ...(isOver ? [] : [...plannerRow(snapshot, ofPlan), ...finalRow(snapshot, ofPlan)])];
}

/** Says what the commands of a task are doing, or those of the whole plan: the one that has run longest. */
export function commandText(commands: Snapshot["commands"], task: string | null, now: number): string {
  const [first, ...others] = commands.filter((command) => command.task === task);
  if (first === undefined) return "";
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return runningText({ ...first, name: `${first.name}${more}`, ms: now - first.since });
}

/** A planner that revises the plan is a session like any other. */
function plannerRow({ state, record, commands, now }: Snapshot, session: Session | undefined): RunningRow[] {
  const { open } = state.replanning;
  if (open === null || session === undefined) return [];
  const line = shown(commandText(commands, null, now) || session.line);
  const row = { id: revisionId(open.revision), title: "a planner revises the plan", attempt: 0, estimateMs: null };
  const tokens = session.inputTokens + session.outputTokens;
  return [{ ...row, phase: "planning", line, tokens, elapsedMs: now - record.replanned }];
}

type Session = Snapshot["sessions"][number];

/** The id shown for a revision that a planner works on. */
function revisionId(revision: number): string {
  return `revision ${revision}`;
}

/** What is done in each phase of a task, in a word. */
export const phases: Partial<Record<Phase, string>> = {
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
const finalId = "final tip";

/** Once no task is left, the whole plan is verified. */
function finalRow({ state, record, commands, now }: Snapshot, session: Session | undefined): RunningRow[] {
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
  return [{ ...row, phase, tokens, line: shown(commandText(commands, null, now)) || line }];
}

/** Lists what waits for a person: questions first, then blocked tasks, then tasks taken by hand. */
export function needRows(state: RunState, record: Pick<RunHistory, "blocked">): NeedRow[] {
  const questions = [...state.questions.values()];
  const asked = new Map(questions.map((question) => [question.task ?? question.id, question]));
  const open = new Set([...asked.keys(), ...record.blocked, ...state.held]);
  const tasks = [...open].flatMap((id) => state.tasks.get(id) ?? []);
  const ofPlan = questions.filter(({ task }) => task === null).map((question) => planRow(state, question));
  const rows = [...ofPlan, ...tasks.flatMap((task) => needRow(task, asked.get(task.spec.id)) ?? [])];
  return rows.toSorted((a, b) => order[a.kind] - order[b.kind]).slice(0, cliLimits.viewRowsMax);
}

const order: Record<NeedRow["kind"], number> = { asks: 0, blocked: 1, yours: 2 };

/** A revised plan is accepted on the page that shows all of it. */
function planRow({ plan }: RunState, question: Question): NeedRow {
  const type = [`stint approve ${plan}`, ...answerCommands(question)].map(shown);
  return { id: question.id, kind: "asks", why: shown(question.question), type };
}

function needRow({ spec: { id }, phase, blocked, feedback }: TaskState, question?: Question): NeedRow | undefined {
  if (question !== undefined)
    return { id, kind: "asks", why: shown(question.question), type: answerCommands(question).map(shown) };
  if (phase === "blocked" || phase === "exhausted") {
    const why = blocked?.why ?? feedback?.why ?? "";
    return { id, kind: "blocked", why: shown(why), type: [`stint requeue ${id}`, `stint take ${id}`] };
  }
  return phase === "taken" ? { id, kind: "yours", why: "taken by hand", type: [`stint submit ${id}`] } : undefined;
}

/** Lists the tasks that start next, best first, then those that wait for running ones; never the whole plan, which may be long. */
export function nextRows(state: RunState, underWay: ReadonlySet<string>): NextRow[] {
  const ids = new Set<string>();
  for (const id of state.ready) if (ids.add(id).size >= nextRowsMax) break;
  if (ids.size < nextRowsMax) for (const id of behind(state, underWay)) if (ids.add(id).size >= nextRowsMax) break;
  const roots = state.counts.blocked === 0 ? new Map<string, string>() : blockedRoots(state);
  return [...ids].flatMap((id) => {
    const task = state.tasks.get(id);
    if (task === undefined) return [];
    const why = () => shown(whyPending(state, task, roots) ?? "starts next");
    return [{ id, title: shown(task.spec.title), why }];
  });
}

/** More do not fit on a tall terminal with the rest. */
const nextRowsMax = 12;

/** Finds the tasks that wait for these, then those that wait for them, and so on; the ones with the fewest open dependencies first. */
function behind(state: RunState, underWay: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  let looks = 0;
  for (let ahead = [...state.ready, ...underWay]; ahead.length > 0 && found.size < nextRowsMax;) {
    const layer = waitingFor(state, ahead, cliLimits.viewNextLooksMax - looks).filter(
      ({ spec }) => !found.has(spec.id),
    );
    looks += layer.length;
    ahead = layer.toSorted((a, b) => a.unmet - b.unmet || a.rank - b.rank).map(({ spec }) => spec.id);
    for (const id of ahead) found.add(id);
  }
  return [...found];
}

function waitingFor({ tasks, dependants }: RunState, ahead: readonly string[], most: number): TaskState[] {
  const found = new Set<TaskState>();
  for (const of of ahead) {
    for (const id of dependants.get(of) ?? []) {
      const task = tasks.get(id);
      if (task?.phase === "pending") found.add(task);
      if (found.size >= most) return [...found];
    }
  }
  return [...found];
}

/** Lists the latest tasks that are done, newest first. */
export function finishedRows({ state, record }: Snapshot): FinishedRow[] {
  return record.finished.toReversed().flatMap(({ task: id, commit, tookMs }) => {
    const task = state.tasks.get(id);
    return task === undefined || !isDone(task)
      ? []
      : [{ id, title: shown(task.spec.title), commit, attempts: task.attempts, tookMs }];
  });
}

function isDone({ phase }: TaskState): boolean {
  return phase === "integrated" || phase === "satisfied";
}
