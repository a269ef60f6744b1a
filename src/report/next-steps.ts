import { money } from "../engine/budget.ts";
import type { ParkReason } from "../engine/events.ts";
import { isOver, type Phase, type Question, type RunState } from "../engine/state.ts";
import { isQuickPlan } from "../plan/quick-plan.ts";

/** What a person may want to do now, said at the end of a run and by `stint status`. */
export function nextSteps(state: RunState, isDriven = false): string[] {
  if (state.finished !== null) return [...notShared(state), ...nothingProven(state), ...takeOver(state)];
  const resume = `\`stint resume ${state.run}\``;
  const orEnd = isDriven ? `, or end it with \`stint stop --run ${state.run}\`` : "";
  const shared = [...notShared(state), ...revisionWaits(state)];
  if (state.paused) return [...shared, `Go on with ${resume}${orEnd}.`];
  if (state.parked === null) return [...shared, `Nothing is lost. Go on with ${resume}.`];
  if (state.parked.reason === "budget") return [...shared, raiseCap(state)];
  if (state.parked.reason === "rest") return [...shared, ...goOnWithRest(state, resume)];
  const quick = isQuickPlan(state.plan) ? quickCures[state.parked.reason] : undefined;
  return [...shared, (quick ?? cures[state.parked.reason])(resume, state), ...alsoWaiting(state, resume)];
}

/** What to type to answer a question, each way. */
export function answerCommands({ id, options }: Pick<Question, "id" | "options">): string[] {
  const answers = options.length === 0 ? ['"…"'] : options;
  return answers.map((answer) => `stint answer ${id} ${answer}`);
}

/** A run that ends for one reason may wait for a person for others, too; one look should do for all. */
function alsoWaiting(state: RunState, resume: string): string[] {
  const { tasks, questions, parked } = state;
  const isAsked = parked?.reason !== "question" && [...questions.values()].some(({ about }) => about !== "blocked");
  const isTaken = parked?.reason !== "taken" && [...tasks.values()].some(({ phase }) => phase === "taken");
  return [...(isAsked ? [cures.question(resume, state)] : []), ...(isTaken ? [cures.taken(resume, state)] : [])];
}

/** The branch is all that Stint writes of the user's: to merge it is theirs. */
function takeOver({ tip, base, branch, publication }: RunState): string[] {
  const isThere = tip !== base && publication?.commit === tip && publication.deferred === null;
  return isThere ? [`\`git merge ${branch}\` takes it over when you like what you see.`] : [];
}

/** A task that is blocked has not to be seen to where another plan has settled that. */
function revisionWaits({ replanning: { accepted } }: RunState): string[] {
  if (accepted === null) return [];
  return [`Revision ${accepted.revision} of the plan is accepted; it holds when the run goes on.`];
}

/** Where the work is not yet although it should be. */
function notShared({ publication, push, branch }: RunState): string[] {
  const deferred = publication?.deferred ?? null;
  const refused = push?.failed ?? null;
  return [
    ...(deferred === null ? [] : [`The branch ${branch} does not have this work yet. ${deferred}`]),
    ...(refused === null ? [] : [`The remote does not have this work yet. ${refused}`]),
  ];
}

function nothingProven({ tasks }: RunState): string[] {
  if ([...tasks.values()].some(({ phase }) => phase !== "satisfied")) return [];
  return ["Every check was green before any work, so no agent was started. Give a check that fails until it is done."];
}

/** Only what nobody has in hand is left for agents. */
function goOnWithRest(state: RunState, resume: string): string[] {
  const open = [...state.tasks.values()].filter(({ phase }) => !isOver(phase));
  const isLeft = open.some(({ byHand }) => !byHand);
  return [
    ...(open.some(({ phase }) => phase === "taken") ? [cures.taken(resume, state)] : []),
    ...(isLeft ? [`${resume} goes on with the rest.`] : []),
  ];
}

/** A cap of the command line stands above the settings, so it is raised where it was set. */
function raiseCap(state: RunState): string {
  const { run, plan, settings, usage } = state;
  const { budgetUsd, askedUsd } = settings;
  const byFlag = `${higherCap(state)} (any amount above ${money(usage.usd)})`;
  const isInUsd = budgetUsd !== null && usage.usd >= budgetUsd;
  if (isInUsd && (askedUsd !== null || isQuickPlan(plan))) return `Go on with ${byFlag}.`;
  if (isQuickPlan(plan))
    return `Raise \`budget\` in your own settings, then \`stint resume ${run}\`; or in .stint/config.yaml, commit it, then \`stint do\` again.`;
  const bySettings = `Raise \`budget\` in the settings, \`stint approve --yes\`, then \`stint resume ${run}\``;
  return isInUsd ? `${bySettings}; or ${byFlag}.` : `${bySettings}.`;
}

/** What raises the cap in USD to twice what is capped or spent, from any terminal, whether the run is driven or not. */
export function higherCap({ run, settings: { budgetUsd }, usage }: RunState): string {
  return `\`stint resume ${run} --budget-usd ${money(2 * Math.max(budgetUsd ?? 0, usage.usd))}\``;
}

/** The only task in this phase by its name, so that the command can be copied; else a place to fill in. */
function only({ tasks }: RunState, phase: Phase): string {
  const [one, ...others] = [...tasks.values()].filter((task) => task.phase === phase);
  return one === undefined || others.length > 0 ? "<task>" : one.spec.id;
}

/** What gives blocked tasks new attempts: an answer to those that ask. */
function unblock({ tasks, questions }: RunState, task: string): string {
  const blocked = [...tasks.values()].filter(({ phase }) => phase === "blocked");
  const asking = blocked.filter(({ spec }) => questions.has(spec.id)).length;
  const [answer, requeue] = [`\`stint answer ${task} "…"\``, `\`stint requeue ${task}\``];
  if (asking === 0) return requeue;
  return asking === blocked.length ? answer : `${answer} if it asks, else ${requeue},`;
}

const cures: Record<Exclude<ParkReason, "budget" | "rest">, (resume: string, state: RunState) => string> = {
  blocked: (resume, state) => {
    const task = only(state, "blocked");
    return `\`stint log ${task}\` shows the evidence. Then ${unblock(state, task)} and ${resume}; or do it by hand with \`stint take ${task}\`; or change the plan, \`stint approve\` and \`stint run\`.`;
  },
  question: (resume, { plan, replanning: { proposal } }) => {
    const approve =
      proposal === null ? "" : `\`stint approve ${plan}\` shows and accepts revision ${proposal.revision}. `;
    return `${approve}Answer what is asked (\`stint status\` shows the commands), then ${resume}.`;
  },
  taken: (resume, state) => {
    const task = only(state, "taken");
    return `\`stint take ${task}\` prints where it is, \`stint submit ${task}\` hands in what you did; \`stint requeue ${task}\` and ${resume} give it to agents.`;
  },
  "broken-check": (resume, state) => {
    const task = only(state, "blocked");
    return `\`stint log ${task}\` shows why. Mend the machine, \`stint requeue ${task}\` and ${resume}; or mend the check, \`stint approve\` and \`stint run\`.`;
  },
  "final-red": (resume, state) => {
    const task = only(state, "blocked");
    return `\`stint log\` shows the output of the red checks. If the cause is outside the branch, mend it and ${resume}. A task that could not mend it gets new attempts by \`stint requeue ${task}\`, or is done by hand: \`stint take ${task}\`.`;
  },
  limit: (resume) => `Go on with ${resume} when the limit is reset.`,
  overloaded: (resume) => `Go on with ${resume} later.`,
  auth: (resume) =>
    `Log the agent in or correct its key (your own login is not used; \`stint doctor\` prints the command), then ${resume}.`,
  agent: (resume) =>
    `Correct the role's model or the agent's entry in the settings, \`stint approve --yes\` and ${resume}; or mend the agent, then ${resume}.`,
  moved: (resume) => `Find out who moved the ref; put it back, then ${resume}.`,
};

/** A plan that was typed is in no work tree, where it could be changed and approved. */
const quickCures: Partial<typeof cures> = {
  blocked: (resume, state) =>
    `\`stint log do\` shows the evidence. Then ${unblock(state, "do")} and ${resume}; or do it by hand with \`stint take do\`; or \`stint do\` with other words, checks or files.`,
  "broken-check": (resume) =>
    `\`stint log do\` shows why. Mend the machine, \`stint requeue do\` and ${resume}; or \`stint do\` with another check.`,
  agent: (resume) =>
    `Mend the agent or your own settings, then ${resume}; or correct and commit .stint/config.yaml, then \`stint do\` again.`,
};
