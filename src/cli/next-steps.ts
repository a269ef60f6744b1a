import type { ParkReason } from "../engine/events.ts";
import { isOver, type RunState } from "../engine/state.ts";
import { isQuickPlan } from "../plan/quick-plan.ts";

/** What a person may want to do now, said at the end of a run and by `stint status`. */
export function nextSteps(state: RunState): string[] {
  const shared = notShared(state);
  if (state.finished !== null) return [...shared, ...nothingProven(state)];
  const resume = `\`stint resume ${state.run}\``;
  if (state.paused) return [...shared, `Go on with ${resume}, or end it with \`stint stop --run ${state.run}\`.`];
  if (state.parked === null) return [...shared, `Nothing is lost. Go on with ${resume}.`];
  if (state.parked.reason === "budget") return [...shared, raiseCap(state)];
  if (state.parked.reason === "rest") return [...shared, ...goOnWithRest(state, resume)];
  const quick = isQuickPlan(state.plan) ? quickCures[state.parked.reason] : undefined;
  return [...shared, (quick ?? cures[state.parked.reason])(resume), ...alsoWaiting(state, resume)];
}

/** A run that ends for one reason may wait for a person for others, too; one look should do for all. */
function alsoWaiting({ tasks, questions, parked }: RunState, resume: string): string[] {
  const isAsked = parked?.reason !== "question" && [...questions.values()].some(({ about }) => about === "scope");
  const isTaken = parked?.reason !== "taken" && [...tasks.values()].some(({ phase }) => phase === "taken");
  return [...(isAsked ? [cures.question(resume)] : []), ...(isTaken ? [cures.taken(resume)] : [])];
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
function goOnWithRest({ tasks }: RunState, resume: string): string[] {
  const open = [...tasks.values()].filter(({ phase }) => !isOver(phase));
  const isLeft = open.some(({ byHand }) => !byHand);
  return [
    ...(open.some(({ phase }) => phase === "taken") ? [cures.taken(resume)] : []),
    ...(isLeft ? [`${resume} goes on with the rest.`] : []),
  ];
}

/** A cap of the command line stands above the settings, so it is raised where it was set. */
function raiseCap({ run, plan, settings: { budgetUsd, askedUsd }, usage }: RunState): string {
  const byFlag = `\`stint resume ${run} --budget-usd <amount>\``;
  if ((askedUsd !== null && usage.usd >= askedUsd) || isQuickPlan(plan)) return `Go on with ${byFlag}.`;
  const bySettings = `Raise \`budget\` in the settings, \`stint approve --yes\`, then \`stint resume ${run}\``;
  return budgetUsd !== null && usage.usd >= budgetUsd ? `${bySettings}; or ${byFlag}.` : `${bySettings}.`;
}

const cures: Record<Exclude<ParkReason, "budget" | "rest">, (resume: string) => string> = {
  blocked: (resume) =>
    `\`stint log <task>\` shows the evidence. Then \`stint answer <task> "…"\` if it asks, else \`stint requeue <task>\`, and ${resume}; or change the plan, \`stint approve\` and \`stint run\`.`,
  question: (resume) => `Answer what is asked (\`stint status\` shows the commands), then ${resume}.`,
  taken: (resume) =>
    `\`stint submit <task>\` hands in what you did; \`stint requeue <task>\` and ${resume} give it to agents.`,
  "broken-check": (resume) =>
    `\`stint log <task>\` shows why. Mend the machine, \`stint requeue <task>\` and ${resume}; or mend the check, \`stint approve\` and \`stint run\`.`,
  "final-red": (resume) =>
    `\`stint log\` shows the output of the red checks. If the cause is outside the branch, mend it and ${resume}; \`stint requeue <task>\` gives a task that could not mend it new attempts.`,
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
  blocked: (resume) =>
    `\`stint log do\` shows the evidence. Then \`stint answer do "…"\` if it asks, else \`stint requeue do\`, and ${resume}; or \`stint do\` with other words, checks or files.`,
  "broken-check": (resume) =>
    `\`stint log do\` shows why. Mend the machine, \`stint requeue do\` and ${resume}; or \`stint do\` with another check.`,
  agent: (resume) =>
    `Mend the agent or your own settings, then ${resume}; or correct and commit .stint/config.yaml, then \`stint do\` again.`,
};
