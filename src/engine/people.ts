import { enter } from "./enter.ts";
import type { EventOf } from "./events.ts";
import { taskOf, type RunState, type TaskState } from "./state.ts";
import { claimsOf } from "../plan/claims.ts";

/** A person gives a task new attempts: one that is blocked, or one taken by hand that agents shall do after all. */
export function requeue(state: RunState, id: string) {
  const task = taskOf(state, id);
  const wasTaken = task.byHand;
  if (task.phase !== "blocked" && task.phase !== "exhausted" && !wasTaken) return;
  startAfresh(state, task);
  task.byHand = false;
  if (!wasTaken) return enter(state, id, "pending");
  if (task.phase !== "taken") return;
  // What the person has done so far is saved like the work of a session that was ended.
  task.outcome = { kind: "interrupted", detail: "the task was given back" };
  enter(state, id, "ended");
}

/** A person takes a task, or takes it once more for a workspace on the present tip. */
export function take(state: RunState, id: string) {
  const task = taskOf(state, id);
  startAfresh(state, task);
  task.byHand = true;
  enter(state, id, "pending");
}

export function submit(state: RunState, id: string) {
  taskOf(state, id).outcome = { kind: "ok" };
  state.parked = null;
  enter(state, id, "ended");
}

export function ask(state: RunState, event: EventOf<"question">) {
  const { id, task, about, question, options, files } = event;
  state.questions.set(id, { id, task, about, question, options, files });
  enter(state, task, "waiting");
}

/** What an agent reports to be blocked by is a question too: its id is the task's. */
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
  const task = taskOf(state, asked.task);
  if (asked.about === "scope") return decideScope(state, asked.task, { files: asked.files, granted: text === "grant" });
  task.answers = [...task.answers, text];
  requeue(state, asked.task);
}

/** With more files or without them: the same candidate is verified; a session that only asked is repeated or blocks its task. */
export function decideScope(
  state: RunState,
  id: string,
  { files, granted }: { readonly files: readonly string[]; readonly granted: boolean },
) {
  const task = taskOf(state, id);
  task.request = null;
  if (granted) {
    task.failed = null;
    task.granted = [...new Set([...task.granted, ...files])];
    const more = claimsOf({ create: [], modify: [], delete: [], touch: task.granted }, null);
    const { paths, folders } = task.claims;
    task.claims = { paths: [...paths, ...more.paths], folders: [...folders, ...more.folders] };
  }
  if (task.candidate !== null) return enter(state, id, "candidate");
  enter(state, id, granted ? "pending" : "rescued");
}

function startAfresh(state: RunState, task: TaskState) {
  task.spent = 0;
  task.conflicts = 0;
  task.blocked = null;
  task.failed = null;
  task.replanAsked = false;
  task.redOn = null;
  state.parked = null;
  state.questions.delete(task.spec.id);
}
