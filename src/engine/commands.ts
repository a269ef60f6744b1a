import { isSharingRefused } from "./push.ts";
import { runName } from "./run-name.ts";
import { money } from "./budget.ts";
import type { Revision, RunEvent } from "./events.ts";
import { toFinish } from "./people.ts";
import { whyUnfit } from "./replan.ts";
import { planHashNow } from "./revise.ts";
import { isBarred, isOver, type Question, type RunState, type TaskState } from "./state.ts";
import { unreachable } from "../base/result.ts";

/** What a person asks of a run from any terminal. */
export type Request =
  | { readonly kind: "stop" | "resume" }
  /** Sessions that can finish do so, unless `now` ends them at once. */
  | { readonly kind: "pause"; readonly now?: true | undefined }
  | { readonly kind: "requeue" | "take" | "submit"; readonly task: string }
  | { readonly kind: "answer"; readonly question: string; readonly answer: string }
  /** Asks the run to switch to another plan that a person has approved; the approval itself never comes this way. */
  | { readonly kind: "revise"; readonly commit: string; readonly planHash: string }
  | { readonly kind: "raise"; readonly budgetUsd: number };

/** A request on its way. The epoch names the driver, and so the state of the run, that its sender meant. */
export type Command = Request & {
  readonly v: 1;
  /** A UUID; its sender finds the command in the journal by it. */
  readonly id: string;
  readonly run: string;
  readonly epoch: number;
};

/** What the process that receives a command knows beside the run's state. */
export interface Receiver {
  /** The epoch that commands must name: the driver's own, or the latest in the journal before a sender took the run. */
  readonly epoch: number;
  /** The driver's process; null where the sender itself receives the command, because the run is not running. */
  readonly pid: number | null;
  /** The person's approval of the revision that the command names; absent or null where there is none. */
  readonly approvedRevision?: ApprovedRevision | null;
}

/** A revision that a person approved, made from the plan with the hash `revises`. */
export interface ApprovedRevision extends Omit<Revision, "revision"> {
  readonly revises: string;
  /** Null where the run's settings accepted it unseen. */
  readonly by: string | null;
}

type Ruling = RunEvent | { readonly refused: string };

/** Decides on a command, which becomes one event: what it asks for, or that it was ignored and why. */
export function decideCommand(state: RunState, command: Command, receiver: Receiver): RunEvent {
  const { id, kind } = command;
  const stale = whyStale(state, command, receiver);
  if (stale !== undefined) return { type: "command-ignored", command: id, kind, why: stale, stale: true };
  const ruling =
    state.finished === null
      ? decideRequest(state, command, receiver)
      : { refused: `run ${runName(state)} is finished` };
  return "refused" in ruling ? { type: "command-ignored", command: id, kind, why: ruling.refused } : ruling;
}

function whyStale({ run }: RunState, command: Command, { epoch }: Receiver): string | undefined {
  if (command.run !== run) return `it was sent to run ${command.run}`;
  if (command.epoch === epoch) return undefined;
  return `it was sent at epoch ${command.epoch}, and the run is at ${epoch}: another process has resumed it since`;
}

function decideRequest(state: RunState, command: Command, { pid, approvedRevision = null }: Receiver): Ruling {
  const { id } = command;
  switch (command.kind) {
    case "pause":
      return decidePause(state, command, pid);
    case "stop":
      return { type: "stopped", why: "asked for by `stint stop`", command: id };
    case "resume":
      return decideResume(state, id, pid);
    case "requeue":
      return onTask(state, command.task, (task) => decideRequeue(task, id));
    case "take":
      return onTask(state, command.task, (task) => decideTake(state, task, id));
    case "submit":
      return onTask(state, command.task, (task) => decideSubmit(task, id));
    case "answer":
      return decideAnswer(state, command);
    case "revise":
      return decideRevise(state, command, approvedRevision);
    case "raise":
      return decideRaise(state, command);
    default:
      return unreachable(command);
  }
}

/** Without a driver no session is running. */
function decidePause(state: RunState, { id: command, now }: Extract<Command, { kind: "pause" }>, pid: number | null) {
  const finishing = now === true || pid === null ? [] : toFinish(state);
  return finishing.length === 0
    ? ({ type: "paused", command } as const)
    : ({ type: "pausing", command, finishing } as const);
}

/**
 * A run without a driver is not resumed by an event: the process that asks has to drive it. One that is not paused has
 * something to resume only where work did not reach its branch or the remote.
 */
function decideResume(state: RunState, command: string, pid: number | null): Ruling {
  if (pid === null) return { refused: `run ${runName(state)} is not running any more` };
  if (!state.paused && !isSharingRefused(state)) return { refused: `run ${runName(state)} is not paused` };
  return { type: "resumed", why: "asked", pid, settings: state.settings, command };
}

function onTask(state: RunState, id: string, decideOn: (task: TaskState) => Ruling): Ruling {
  const task = state.tasks.get(id);
  if (task !== undefined) return decideOn(task);
  return { refused: `no task ${id} in run ${runName(state)}. Its tasks: ${[...state.tasks.keys()].join(", ")}` };
}

function decideRequeue({ spec: { id: task }, phase, byHand }: TaskState, command: string): Ruling {
  const isHeld = byHand && (phase === "taken" || phase === "pending");
  if (phase === "blocked" || phase === "exhausted" || isHeld) return { type: "task-requeued", task, command };
  return {
    refused: `task ${task} is ${standing(phase)}; only a task that is blocked or taken by hand can be requeued`,
  };
}

function decideTake(
  state: RunState,
  { spec: { id: task, depends }, phase, byHand }: TaskState,
  command: string,
): Ruling {
  const unmet = depends.filter((id) => !isOver(state.tasks.get(id)?.phase ?? "integrated"));
  if (unmet.length > 0) return { refused: `task ${task} waits for ${unmet.join(", ")}` };
  if (isBarred(state, task)) {
    return {
      refused: `task ${task} is changed by revision ${state.replanning.accepted?.revision} of the plan, which is accepted`,
    };
  }
  const isFree = phase === "pending" || phase === "blocked" || phase === "exhausted" || (byHand && phase === "taken");
  if (isFree) return { type: "task-taken", task, command };
  return { refused: whyNotFree(state, task, standing(phase)) };
}

function whyNotFree(state: RunState, task: string, stands: string): string {
  const only = "only a task that is waiting or blocked can be taken by hand";
  if (stands !== "running") return `task ${task} is ${stands}; ${only}`;
  const stop = `\`stint stop --run ${runName(state)}\` first`;
  // In a paused run nothing is running, and no verdict comes.
  if (state.paused) return `task ${task} is paused with its run; ${only}. Use ${stop}`;
  return `task ${task} is running; ${only}. Wait for its verdict, or ${stop}`;
}

function decideSubmit({ spec: { id: task }, phase, attempts }: TaskState, command: string): Ruling {
  if (phase === "taken") return { type: "task-submitted", task, attempt: attempts, command };
  return {
    refused: `task ${task} is ${standing(phase)}; only a task taken by hand can be submitted. Take it first: \`stint take ${task}\``,
  };
}

function decideAnswer(
  state: RunState,
  { id: command, question, answer }: Extract<Command, { kind: "answer" }>,
): Ruling {
  const asked = state.questions.get(question);
  if (asked === undefined)
    return { refused: `no open question ${question} in run ${runName(state)}. ${openOnes(state)}` };
  if (answer.trim() === "") return { refused: `the answer to ${question} is empty` };
  const { proposal } = state.replanning;
  if (asked.about === "replan" && proposal !== null && isAnswerOf(asked, answer)) {
    return { type: "revision-dropped", revision: proposal.revision, why: "a person refused it", command };
  }
  if (isAnswerOf(asked, answer)) return { type: "answered", id: question, answer, command };
  if (asked.about === "replan")
    return {
      refused: `${question} can only be accepted with \`stint approve ${state.plan}\`. To refuse it: \`stint answer ${question} refuse\``,
    };
  return { refused: `answer question ${question} with one of: ${asked.options.join(", ")}` };
}

/** Only a person's own approval puts a plan into effect: a command merely announces it. */
function decideRevise(
  state: RunState,
  { id, commit, planHash }: Extract<Command, { kind: "revise" }>,
  approved: ApprovedRevision | null,
): Ruling {
  const { accepted, proposal, latest, spent } = state.replanning;
  if (approved === null || approved.commit !== commit || approved.planHash !== planHash)
    return { refused: `that revision is not approved. Read it with \`stint approve ${state.plan}\`` };
  if (accepted !== null) return { refused: `revision ${accepted.revision} is accepted and about to take effect` };
  if (approved.revises !== planHashNow(state)) return { refused: "it revises a plan that is no longer in effect" };
  // An approval stays on the disk and counts once: a revision that was refused, dropped or replaced since needs another.
  if (spent.has(commit))
    return { refused: "the approval of that revision was already used, or the revision has been refused since" };
  const { tasks, changes, by } = approved;
  const unfit = whyUnfit(state, approved);
  if (unfit !== undefined) return { refused: unfit };
  const revision = proposal?.commit === commit ? proposal.revision : latest + 1;
  return { type: "revision-accepted", revision, commit, planHash, tasks, changes, by, command: id };
}

function decideRaise(state: RunState, { id, budgetUsd }: Extract<Command, { kind: "raise" }>): Ruling {
  const [name, cap] = [runName(state), state.settings.budgetUsd];
  if (cap === null) return { refused: `run ${name} has no cap in USD` };
  if (budgetUsd > cap) return { type: "cap-raised", budgetUsd, command: id };
  return { refused: `the cap of run ${name} is ${money(cap)} USD; it can only be raised` };
}

function isAnswerOf({ options }: Question, answer: string): boolean {
  return options.length === 0 || options.includes(answer);
}

function openOnes({ questions }: RunState): string {
  return questions.size === 0 ? "No question is open." : `Open ones: ${[...questions.keys()].join(", ")}`;
}

/** Completes the sentence "task 01-a is …". */
function standing(phase: TaskState["phase"]): string {
  if (phase === "pending") return "waiting for its turn";
  if (phase === "blocked" || phase === "exhausted") return "blocked";
  if (phase === "taken") return "taken by hand";
  if (phase === "waiting") return "waiting for an answer";
  return isOver(phase) ? phase : "running";
}
