import { accountFor, afterSession } from "./session-end.ts";
import { enter, isOver, taskOf, type RunState, type TaskState } from "./state.ts";
import type { EventOf, TaskSpec } from "./events.ts";
import { Meetings } from "./meetings.ts";
import { Ranked } from "./ranked.ts";
import { rankTasks } from "./schedule.ts";
import { add, noSpending, spendingOf } from "./spending.ts";
import { dependantsOf, newTask } from "./start.ts";
import { changesInWords, type TaskChange } from "../plan/diff.ts";

/** A revision may be asked for several times, and counts once. */
export function startReplan({ replanning, tasks }: RunState, { revision, tasks: ids }: EventOf<"replan-started">) {
  if (replanning.open?.revision === revision) return;
  replanning.open = { revision, tasks: ids, spent: noSpending };
  replanning.latest = revision;
  replanning.asked += 1;
  for (const id of ids) {
    const task = tasks.get(id);
    if (task !== undefined) task.replan = { revision, failed: null };
  }
}

/** A proposal is a question to a person; where the settings accept it, it is closed before a person sees it. */
export function takeProposal(state: RunState, event: EventOf<"replan-proposed">) {
  const { revision, commit, planHash, tasks, changes, usage } = event;
  accountFor(state, { task: null, role: "planner" }, { outcome: { kind: "ok" }, usage });
  const asked = state.replanning.open;
  state.replanning.open = null;
  state.replanning.proposal = { revision, commit, planHash, tasks, changes };
  const id = replanQuestion(revision);
  const because = asked === null ? "" : `, because ${asked.tasks.join(", ")} could not be done as planned`;
  const question = `Revision ${revision} of the plan is proposed${because}: ${changesInWords(changes)}. \`stint approve ${state.plan}\` shows and accepts it.`;
  state.questions.set(id, { id, task: null, about: "replan", question, options: ["refuse"], files: [] });
}

/** A person answers the question with this id to refuse a proposal. */
function replanQuestion(revision: number): string {
  return `replan-${revision}`;
}

/** A session that the agent's service, a login, a cap or a person ended is repeated; after any other failure the tasks stay blocked. */
export function failReplan(state: RunState, { revision, why, outcome, usage }: EventOf<"replan-failed">) {
  accountFor(state, { task: null, role: "planner" }, { outcome: outcome ?? { kind: "ok" }, usage });
  const { replanning } = state;
  const { open } = replanning;
  if (open?.revision !== revision) return;
  if (outcome !== null && afterSession({ outcome, report: null }).kind === "free") {
    replanning.open = { ...open, spent: add(open.spent, spendingOf(usage)) };
    return;
  }
  replanning.open = null;
  noteFailure(state, revision, why);
}

/** An accepted revision replaces every other proposal. */
export function acceptRevision(state: RunState, event: EventOf<"revision-accepted">) {
  const { revision, commit, planHash, tasks, changes, by } = event;
  const { replanning } = state;
  closeProposal(state);
  replanning.latest = Math.max(replanning.latest, revision);
  replanning.spent.add(commit);
  replanning.accepted = { revision, commit, planHash, tasks, changes, by };
  state.parked = null;
}

export function dropRevision(state: RunState, { revision, why }: EventOf<"revision-dropped">) {
  const { replanning } = state;
  if (replanning.proposal?.revision === revision) closeProposal(state);
  if (replanning.open?.revision === revision) replanning.open = null;
  if (replanning.accepted?.revision === revision) replanning.accepted = null;
  noteFailure(state, revision, why);
  state.parked = null;
}

function closeProposal({ replanning, questions }: RunState) {
  if (replanning.proposal === null) return;
  questions.delete(replanQuestion(replanning.proposal.revision));
  replanning.spent.add(replanning.proposal.commit);
  replanning.proposal = null;
}

function noteFailure(state: RunState, revision: number, why: string) {
  for (const task of state.tasks.values())
    if (task.replan?.revision === revision) task.replan = { revision, failed: why };
}

/** The tasks become those of the revision; a task that it does not touch stays exactly as it is. */
export function revisePlan(state: RunState, event: EventOf<"plan-revised">) {
  const { revision, commit, planHash, tasks, changes } = event;
  const { replanning } = state;
  for (const { id } of changes) retire(state, id);
  replanTasks(state, tasks, changes);
  replaceAsked(state, changes);
  closeProposal(state);
  replanning.open = replanning.accepted = null;
  replanning.latest = Math.max(replanning.latest, revision);
  replanning.inForce = { revision, commit, planHash };
  // The plan's own checks may have changed.
  state.finalVerified = state.judging = state.bisected = null;
  state.parked = null;
}

/** Takes a task out of all indexes; if it comes back, its attempts keep counting. */
function retire(state: RunState, id: string) {
  const task = state.tasks.get(id);
  if (task === undefined) return;
  task.byHand = false;
  enter(state, id, "pending");
  const { attempts, uncounted, usage } = task;
  state.replanning.retired.set(id, { attempts, uncounted, usage });
  for (const [question, asked] of state.questions) if (asked.task === id) state.questions.delete(question);
}

function replanTasks(state: RunState, specs: readonly TaskSpec[], changes: readonly TaskChange[]) {
  const ranks = rankTasks(specs);
  const changed = new Set(changes.map(({ id }) => id));
  const { retired } = state.replanning;
  const tasks = new Map<string, TaskState>();
  for (const spec of specs) {
    const rank = ranks.get(spec.id) ?? 0;
    if (changed.has(spec.id)) tasks.set(spec.id, { ...newTask(spec, rank), ...retired.get(spec.id) });
    else tasks.set(spec.id, Object.assign(taskOf(state, spec.id), { rank }));
  }
  state.tasks = tasks;
  state.dependants = dependantsOf(specs);
  for (const task of tasks.values()) task.unmet = countUnmet(state, task);
  const isReady = ({ phase, unmet, byHand }: TaskState) => phase === "pending" && unmet === 0 && !byHand;
  const ready = [...tasks.values()].filter(isReady).map(({ spec }) => spec.id);
  state.ready = new Ranked([...ranks.keys()], ready);
  state.meetings = new Meetings(tasks);
}

/** A reopened task has landed before, so it keeps no other task waiting. */
function countUnmet({ tasks }: RunState, { spec }: TaskState): number {
  const isMet = (id: string) => {
    const task = tasks.get(id);
    return task !== undefined && (isOver(task.phase) || task.reopens > 0);
  };
  return [...new Set(spec.depends)].filter((id) => !isMet(id)).length;
}

/** Tasks that replace one that was asked for are asked for as well. */
function replaceAsked(state: RunState, changes: readonly TaskChange[]) {
  const idsOf = (change: TaskChange["change"]) => changes.filter((one) => one.change === change).map(({ id }) => id);
  const [added, removed] = [idsOf("added"), new Set(idsOf("removed"))];
  const replaced = (ids: readonly string[] | null) =>
    ids === null || ids.length === 0 ? ids : [...ids.filter((id) => !removed.has(id)), ...added];
  state.settings = { ...state.settings, only: replaced(state.settings.only) };
  state.asked = replaced(state.asked);
}

/** Whether the hash is that of the plan the run started with, or of the revision in effect: a person may have either in their branch. */
export function isPlanOf(state: Pick<RunState, "planHash" | "replanning">, hash: string): boolean {
  return hash === state.planHash || hash === planHashNow(state);
}

/** Returns the hash of the plan that is in effect now. */
export function planHashNow({ planHash, replanning }: Pick<RunState, "planHash" | "replanning">): string {
  return replanning.inForce?.planHash ?? planHash;
}
