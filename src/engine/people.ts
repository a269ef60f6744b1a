import { attemptOf, noCandidate, type Attempt } from "./attempt.ts";
import { enter, taskOf, type RunState, type TaskState } from "./state.ts";
import type { EventOf } from "./events.ts";

/** Pauses the run but for the sessions that finish, or ends the pause with null. */
export function setPaused(state: RunState, finishing: readonly string[] | null) {
  state.paused = finishing !== null;
  state.finishing.clear();
  finishing?.forEach((id) => state.finishing.add(id));
}

/** Lists the tasks whose sessions a pause lets finish; those of a pause that has begun only become fewer. */
export function toFinish(state: RunState): string[] {
  return [...state.active].filter((id) => {
    const { phase, attempt } = taskOf(state, id);
    return phase === "working" && attempt?.endsTurn === true && (!state.paused || state.finishing.has(id));
  });
}

/** A person gives a task new attempts: one that is blocked, or one taken by hand that agents are to do after all. */
export function requeue(state: RunState, id: string) {
  const task = taskOf(state, id);
  const isGivenUp = task.phase === "blocked" || task.phase === "exhausted";
  if (!isGivenUp && !task.byHand) return;
  startAfresh(state, task);
  task.byHand = false;
  if (isGivenUp || task.phase === "pending") return enter(state, id, "pending");
  if (task.phase !== "taken") return;
  // What the person has done so far is saved like the work of a session that was ended.
  attemptOf(task).outcome = { kind: "interrupted", detail: "the task was given back" };
  enter(state, id, "ended");
}

/** A person takes a task, or takes it again to get a workspace on the present tip. */
export function take(state: RunState, id: string) {
  const task = taskOf(state, id);
  startAfresh(state, task);
  task.byHand = true;
  enter(state, id, "pending");
}

/** A person submits a task. What was submitted before is forgotten, because the workspace is collected again. */
export function submit(state: RunState, id: string) {
  Object.assign(attemptOf(taskOf(state, id)), { outcome: { kind: "ok" }, ...noCandidate });
  state.parked = null;
  enter(state, id, "ended");
}

export function ask(state: RunState, event: EventOf<"question">) {
  const { id, task, about, question, options, files } = event;
  state.questions.set(id, { id, task, about, question, options, files });
  enter(state, task, "waiting");
}

/** A task that its agent reports as blocked is a question too, with the task's id. */
export function block(state: RunState, event: EventOf<"task-blocked">) {
  const { task, kind, why } = event;
  taskOf(state, task).blocked = { kind, why };
  if (kind === "reported-blocked") {
    state.questions.set(task, { id: task, task, about: "blocked", question: why, options: [], files: [] });
  }
  enter(state, task, "blocked");
}

export function answer(state: RunState, { id, answer: text }: EventOf<"answered">) {
  const asked = state.questions.get(id);
  if (asked === undefined) return;
  state.questions.delete(id);
  state.parked = null;
  if (asked.task === null) return;
  const task = taskOf(state, asked.task);
  task.answers = [...task.answers, { question: asked.question, answer: text }];
  if (asked.about === "blocked") return requeue(state, asked.task);
  decideScope(state, task, { files: asked.files, refused: text === "grant" ? null : "a person refused." });
}

/** The next session learns what the settings decided as if a person had answered. */
export function settleScope(state: RunState, { task: id, files, granted, why }: EventOf<"scope-decided">) {
  const task = taskOf(state, id);
  const question = `asks for ${(attemptOf(task).request ?? files).join(", ")}`;
  task.answers = [...task.answers, { question, answer: `${granted ? "granted" : "not granted"}: ${why}` }];
  decideScope(state, task, { files, refused: granted ? null : why });
}

/** A candidate is verified with the files or without them; a session that made none is repeated, or blocks its task. */
function decideScope(
  state: RunState,
  task: TaskState,
  { files, refused }: { readonly files: readonly string[]; readonly refused: string | null },
) {
  const attempt = attemptOf(task);
  attempt.request = null;
  attempt.refused = refused;
  if (refused === null) grant(state, task, files);
  const { id } = task.spec;
  if (attempt.candidate !== null) return enter(state, id, "candidate");
  enter(state, id, refused === null ? "pending" : "rescued");
}

/** Adds that an attempt asked for files and did not get them, because that may be why it failed. */
export function withRefusal({ request, refused }: Attempt, why: string): string {
  if (request !== null) return `${why}. Its request for more files was not considered, because there is no candidate.`;
  return refused === null ? why : `${why}. It asked for more files: ${refused}`;
}

function grant(state: RunState, task: TaskState, files: readonly string[]) {
  const more = files.filter((file) => !task.granted.includes(file));
  // The same change may pass now.
  task.failed = null;
  task.granted = [...task.granted, ...more];
  task.claims = { ...task.claims, paths: [...task.claims.paths, ...more] };
  state.meetings.grow(task.spec.id, more);
}

function startAfresh(state: RunState, task: TaskState) {
  task.spent = 0;
  task.conflicts = 0;
  task.requests = 0;
  task.blocked = null;
  task.failed = null;
  task.judging = null;
  task.replanAsked = false;
  task.replan = null;
  task.redOn = null;
  state.parked = null;
  state.questions.delete(task.spec.id);
}
