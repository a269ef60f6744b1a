import type { RunState } from "../engine/state.ts";
import type { RunSummary, TaskSummary } from "../engine/summary.ts";
import type { Need } from "./model.ts";
import { answerCommands, nextSteps } from "./next-steps.ts";

/** What waits for a person, with what to type; what blocks tasks comes first. */
export function needsOf(state: RunState, summary: RunSummary): Need[] {
  const { run, questions, tasks } = summary;
  const asking = new Set(questions.map(({ id }) => id));
  // Tasks that an accepted revision changes or removes need no attention.
  const settled = new Set(state.replanning.accepted?.changes.map(({ id }) => id));
  const blocked = tasks
    .filter((task) => task.state === "blocked" && !settled.has(task.id))
    .map((task) => blockedNeed(state, task, asking));
  const asked = questions.filter(({ about }) => about !== "blocked").map((question) => questionNeed(summary, question));
  const taken = tasks.filter((task) => task.state === "taken").map(takenNeed);
  const ofTasks = [...blocked, ...asked, ...taken];
  const unproven = tasks.filter((task) => task.state === "satisfied").map(unprovenNeed);
  if (ofTasks.length === 0) return [...unproven, ...ofRun(state, summary)];
  const goOn = { says: "Then resume the run.", how: "", commands: [`stint resume ${run}`] };
  return [...ofTasks, ...(state.finished === null ? [goOn] : []), ...unproven];
}

function blockedNeed(state: RunState, { id, reason }: TaskSummary, asking: ReadonlySet<string>): Need {
  const kind = state.tasks.get(id)?.blocked?.kind;
  const again = asking.has(id) ? `stint answer ${id} "…"` : `stint requeue ${id}`;
  const says = sentence(
    `Task ${id} is blocked${kind === "broken-check" ? " by a check that cannot run" : ""}: ${reason ?? "no reason given"}`,
  );
  const how = `See the evidence; then ${asking.has(id) ? "answer it" : "give it new attempts"}, or do it yourself.`;
  return { says, how, commands: [`stint log ${id}`, again, `stint take ${id}`] };
}

/** Another sentence follows, so this one ends. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function questionNeed({ plan }: RunSummary, asked: RunSummary["questions"][number]): Need {
  if (asked.task === null) {
    const commands = [`stint approve ${plan}`, ...answerCommands(asked)];
    return { says: sentence(asked.question), how: "Accept or refuse it.", commands };
  }
  const how = asked.options.length === 0 ? "Answer it." : "Answer one way or the other.";
  return { says: sentence(`Task ${asked.task} asks: ${asked.question}`), how, commands: answerCommands(asked) };
}

function takenNeed({ id, reason }: TaskSummary): Need {
  const why = reason === null ? "" : `: ${reason}`;
  const how = "See where it is; submit it when done, or give it back to agents.";
  return {
    says: sentence(`You have taken task ${id}${why}`),
    how,
    commands: [`stint take ${id}`, `stint submit ${id}`, `stint requeue ${id}`],
  };
}

function unprovenNeed({ id }: TaskSummary): Need {
  const says = `The checks of task ${id} passed before any work: no agent worked on it, and nothing is proven. See whether they test what you want.`;
  return { says, how: "See what its checks printed.", commands: [`stint log ${id}`] };
}

/** What is not about a single task. Once a run is done, the commands section says what to do with it. */
function ofRun(state: RunState, { state: standing }: RunSummary): Need[] {
  if (standing === "running") return [];
  const isShared = state.publication?.deferred === undefined || state.publication.deferred === null;
  const isPushed = state.push === null || state.push.failed === null;
  if (state.finished !== null && isShared && isPushed) return [];
  return nextSteps(state).map((says) => ({ says, how: "", commands: [] }));
}
