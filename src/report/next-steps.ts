import { runName } from "../engine/run-name.ts";
import { money } from "../engine/budget.ts";
import type { ParkReason } from "../engine/events.ts";
import { isUnpublished, whyUnpublished } from "../engine/push.ts";
import { isOver, type Phase, type Question, type RunState } from "../engine/state.ts";
import { localTime } from "../base/local-time.ts";
import { isQuickPlan } from "../plan/quick-plan.ts";
import { finishingHint, type RunSummary, type TaskSummary } from "../engine/summary.ts";
import type { Need } from "./model.ts";

/** What next steps depend on and the journal does not know. */
interface Around {
  readonly isDriven?: boolean;
  /** The time now, for messages that name another one. */
  readonly now?: number;
  /** The user's branch that has the run's tip already. */
  readonly mergedInto?: string | undefined;
  /** The user's branch that has the same content without the run's commits, as after a squash merge. */
  readonly sameIn?: string | undefined;
  /** Whether the run's branch was deleted. */
  readonly isGone?: boolean;
}

/** Says what a person may want to do now, printed at the end of a run and by `stint status`. */
export function nextSteps(state: RunState, around: Around = {}): string[] {
  const { isDriven = false, mergedInto, sameIn, now = 0 } = around;
  if (state.finished !== null)
    return [...notShared(state, mergedInto ?? sameIn), ...nothingProven(state), ...takeOver(state, around)];
  const resume = `\`stint resume ${runName(state)}\``;
  const orEnd = isDriven ? `, or end it with \`stint stop --run ${runName(state)}\`` : "";
  const shared = [...notShared(state), ...revisionWaits(state)];
  if (state.paused) {
    const isPausing = isDriven && state.finishing.size > 0;
    const stops = isPausing ? [`${finishingHint(state.finishing.size, runName(state))}.`] : [];
    return [...shared, ...stops, `Resume with ${resume}${orEnd}.`];
  }
  if (state.parked === null) return [...shared, `Nothing is lost. Resume with ${resume}.`];
  if (isDriven && state.parked.until !== null) {
    const time = localTime(state.parked.until, now);
    return [...shared, `It continues by itself at ${time}. End it with \`stint stop --run ${runName(state)}\`.`];
  }
  if (state.parked.reason === "budget") return [...shared, raiseCap(state)];
  if (state.parked.reason === "rest") return [...shared, ...goOnWithRest(state, resume)];
  const quick = isQuickPlan(state.plan) ? quickCures[state.parked.reason] : undefined;
  return [...shared, (quick ?? cures[state.parked.reason])(resume, state), ...alsoWaiting(state, resume)];
}

/** Lists the commands that answer a question, one for each option. */
export function answerCommands({ id, options }: Pick<Question, "id" | "options">): string[] {
  const answers = options.length === 0 ? ['"…"'] : options;
  return answers.map((answer) => `stint answer ${id} ${answer}`);
}

/** A run that ends for one reason may also wait for a person for others; all are listed at once. */
function alsoWaiting(state: RunState, resume: string): string[] {
  const { tasks, questions, parked } = state;
  const isAsked = parked?.reason !== "question" && [...questions.values()].some(({ about }) => about !== "blocked");
  const isTaken = parked?.reason !== "taken" && [...tasks.values()].some(({ phase }) => phase === "taken");
  return [...(isAsked ? [cures.question(resume, state)] : []), ...(isTaken ? [cures.taken(resume, state)] : [])];
}

/** Stint writes only this branch; merging it is up to the user. */
function takeOver(state: RunState, { mergedInto, sameIn, isGone = false }: Around): string[] {
  if (state.tip === state.base) return [];
  if (mergedInto !== undefined) return [`Merged: ${mergedInto} has this work.`];
  if (sameIn !== undefined) return [`Nothing to merge: ${sameIn} has the same content.`];
  return isUnpublished(state) || isGone ? [] : [`When you are happy with it: \`git merge ${state.branch}\``];
}

/** A blocked task needs no attention if an accepted revision has settled it. */
function revisionWaits({ replanning: { accepted } }: RunState): string[] {
  if (accepted === null) return [];
  return [`Revision ${accepted.revision} of the plan is accepted; it takes effect when the run is resumed.`];
}

/** Names where the work should be but is not yet. */
function notShared(state: RunState, mergedInto?: string): string[] {
  const deferred = whyUnpublished(state, mergedInto);
  const refused = state.push?.failed ?? null;
  return [
    ...(deferred === undefined ? [] : [`The branch ${state.branch} does not have this work yet. ${deferred}`]),
    ...(refused === null ? [] : [`The remote does not have this work yet. ${refused}`]),
  ];
}

function nothingProven({ tasks }: RunState): string[] {
  if ([...tasks.values()].some(({ phase }) => phase !== "satisfied")) return [];
  return [
    "Every check passed before any work, so no agent was started. Add a check that fails until the work is done.",
  ];
}

/** Tasks that no person has taken are left for agents. */
function goOnWithRest(state: RunState, resume: string): string[] {
  const open = [...state.tasks.values()].filter(({ phase }) => !isOver(phase));
  const isLeft = open.some(({ byHand }) => !byHand);
  return [
    ...(open.some(({ phase }) => phase === "taken") ? [cures.taken(resume, state)] : []),
    ...(isLeft ? [`${resume} does the rest.`] : []),
  ];
}

/** A cap on the command line overrides the settings, so it is raised where it was set. */
function raiseCap(state: RunState): string {
  const { plan, settings, usage } = state;
  const run = runName(state);
  const { budgetUsd, askedUsd } = settings;
  const byFlag = `${higherCap(state)} (any amount above ${money(usage.usd)})`;
  const isInUsd = budgetUsd !== null && usage.usd >= budgetUsd;
  if (isInUsd && (askedUsd !== null || isQuickPlan(plan))) return `Resume with ${byFlag}.`;
  if (isQuickPlan(plan))
    return `Raise \`budget\` in your own settings, then \`stint resume ${run}\`; or in .stint/config.yaml, commit it, then \`stint do\` again.`;
  const bySettings = `Raise \`budget\` in the settings, \`stint approve --yes\`, then \`stint resume ${run}\``;
  return isInUsd ? `${bySettings}; or ${byFlag}.` : `${bySettings}.`;
}

/** Returns the command that doubles the cap in USD (or what was spent; nothing becomes 1), from any terminal, whether the run is in progress or not. */
export function higherCap(state: RunState): string {
  const {
    settings: { budgetUsd },
    usage,
  } = state;
  return `\`stint resume ${runName(state)} --budget-usd ${money(2 * Math.max(budgetUsd ?? 0, usage.usd) || 1)}\``;
}

/** Returns the id of the only task in this phase, so that the command can be copied; else a placeholder. */
function only({ tasks }: RunState, phase: Phase): string {
  const [one, ...others] = [...tasks.values()].filter((task) => task.phase === phase);
  return one === undefined || others.length > 0 ? "<task>" : one.spec.id;
}

/** Returns the command that gives blocked tasks new attempts: an answer to those that ask. */
function unblock({ tasks, questions }: RunState, task: string): string {
  const blocked = [...tasks.values()].filter(({ phase }) => phase === "blocked");
  const asking = blocked.filter(({ spec }) => questions.has(spec.id)).length;
  const [answer, requeue] = [`\`stint answer ${task} "…"\``, `\`stint requeue ${task}\``];
  if (asking === 0) return requeue;
  return asking === blocked.length ? answer : `${answer} if it asks, otherwise ${requeue},`;
}

const cures: Record<Exclude<ParkReason, "budget" | "rest">, (resume: string, state: RunState) => string> = {
  blocked: (resume, state) => {
    const task = only(state, "blocked");
    return `\`stint log ${task}\` shows the evidence. Then ${unblock(state, task)} and ${resume}; or do it yourself with \`stint take ${task}\`; or change the plan, \`stint approve\` and \`stint run\`.`;
  },
  question: (resume, { plan, replanning: { proposal } }) => {
    const approve =
      proposal === null ? "" : `\`stint approve ${plan}\` shows revision ${proposal.revision} and lets you accept it. `;
    return `${approve}Answer the open questions (\`stint status\` shows the commands), then ${resume}.`;
  },
  taken: (resume, state) => {
    const task = only(state, "taken");
    return `\`stint take ${task}\` prints where it is, \`stint submit ${task}\` submits your work; \`stint requeue ${task}\` and ${resume} give it back to agents.`;
  },
  "broken-check": (resume, state) => {
    const task = only(state, "blocked");
    return `\`stint log ${task}\` shows why. Fix the machine, then \`stint requeue ${task}\` and ${resume}; or fix the check, or set-up in .stint/config.yaml, then \`stint approve\` and \`stint run\`.`;
  },
  "final-red": (resume, state) => {
    const task = only(state, "blocked");
    return `\`stint log\` shows the output of the failed checks. If the cause is outside the branch, fix it and ${resume}. If a task could not fix it, give it new attempts with \`stint requeue ${task}\`, or do it yourself: \`stint take ${task}\`.`;
  },
  limit: (resume) => `Run ${resume} once the limit has been reset.`,
  overloaded: (resume, state) => {
    const cure = knownCure(state);
    return cure === undefined ? `Try ${resume} later.` : `${cure}, then ${resume}.`;
  },
  auth: (resume, state) => {
    const cure = knownCure(state);
    if (cure !== undefined) return `${cure}; then ${resume}.`;
    return `Log the agent in with \`stint login\`, or fix its key; then ${resume}.`;
  },
  agent: (resume, state) => {
    const cure = knownCure(state);
    if (cure !== undefined) return `${cure}, then ${resume}.`;
    return `Fix the role's model or the agent's entry in the settings, then \`stint approve --yes\` and ${resume}; or fix the agent itself, then ${resume}.`;
  },
  moved: (resume) => `Find out who moved the ref; put it back, then ${resume}.`,
};

/** Returns what is known to help against what the run waits for. */
function knownCure({ holds, parked }: RunState): string | undefined {
  return [...holds.values()].find(({ reason, why }) => reason === parked?.reason && why === parked.why)?.cure;
}

/** The plan of a `stint do` is in no work tree, so it cannot be changed and approved there. */
const quickCures: Partial<typeof cures> = {
  blocked: (resume, state) =>
    `\`stint log do\` shows the evidence. Then ${unblock(state, "do")} and ${resume}; or do it yourself with \`stint take do\`; or \`stint do\` with another goal, checks or files.`,
  "broken-check": (resume) =>
    `\`stint log do\` shows why. Fix the machine, then \`stint requeue do\` and ${resume}; or \`stint do\` with another check.`,
  agent: (resume, state) =>
    `${knownCure(state) ?? "Fix the agent or your own settings"}, then ${resume}; or fix and commit .stint/config.yaml, then \`stint do\` again.`,
};

/** Lists what waits for a person, with what to type; what blocks tasks comes first. */
export function needsOf(
  state: RunState,
  summary: RunSummary,
  {
    mergedInto,
    evidenceOf = () => [],
  }: Pick<Around, "mergedInto"> & { readonly evidenceOf?: (task: string) => readonly string[] } = {},
): Need[] {
  const { name, questions, tasks } = summary;
  const asking = new Set(questions.map(({ id }) => id));
  // Tasks that an accepted revision changes or removes need no attention.
  const settled = new Set(state.replanning.accepted?.changes.map(({ id }) => id));
  const blocked = tasks
    .filter((task) => task.state === "blocked" && !settled.has(task.id))
    .map((task) => ({ ...blockedNeed(state, task, asking), evidence: evidenceOf(task.id) }));
  const asked = questions.filter(({ about }) => about !== "blocked").map((question) => questionNeed(summary, question));
  const taken = tasks.filter((task) => task.state === "taken").map(takenNeed);
  const ofTasks = [...blocked, ...asked, ...taken];
  const unproven = tasks.filter((task) => task.state === "satisfied").map(unprovenNeed);
  if (ofTasks.length === 0) return [...unproven, ...ofRun(state, summary, mergedInto)];
  const goOn = { says: "Then resume the run.", how: "", commands: [`stint resume ${name}`], evidence: [] };
  return [...ofTasks, ...(state.finished === null ? [goOn] : []), ...unproven];
}

function blockedNeed(
  state: RunState,
  { id, reason }: TaskSummary,
  asking: ReadonlySet<string>,
): Omit<Need, "evidence"> {
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
    return { says: sentence(asked.question), how: "Accept or refuse it.", commands, evidence: [] };
  }
  const how = asked.options.length === 0 ? "Answer it." : "Answer one way or the other.";
  const says = sentence(`Task ${asked.task} asks: ${asked.question}`);
  return { says, how, commands: answerCommands(asked), evidence: [] };
}

function takenNeed({ id, reason }: TaskSummary): Need {
  const why = reason === null ? "" : `: ${reason}`;
  const how = "See where it is; submit it when done, or give it back to agents.";
  return {
    says: sentence(`You have taken task ${id}${why}`),
    how,
    commands: [`stint take ${id}`, `stint submit ${id}`, `stint requeue ${id}`],
    evidence: [],
  };
}

function unprovenNeed({ id }: TaskSummary): Need {
  const says = `The checks of task ${id} passed before any work: no agent worked on it, and nothing is proven. See whether they test what you want.`;
  return { says, how: "See what its checks printed.", commands: [`stint log ${id}`], evidence: [] };
}

/** Lists what is not about a single task. Once a run is done, the commands section says what to do with it. */
function ofRun(state: RunState, { state: standing }: RunSummary, mergedInto: string | undefined): Need[] {
  if (standing === "running") return [];
  const isShared = whyUnpublished(state, mergedInto) === undefined;
  const isPushed = state.push === null || state.push.failed === null;
  if (state.finished !== null && isShared && isPushed) return [];
  return nextSteps(state, { mergedInto }).map((says) => ({ says, how: "", commands: [], evidence: [] }));
}
