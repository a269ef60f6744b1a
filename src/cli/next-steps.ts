import type { ParkReason } from "../engine/events.ts";
import type { RunState } from "../engine/state.ts";

/** What a person may want to do now, said at the end of a run and by `stint status`. */
export function nextSteps(state: RunState): string[] {
  const deferred = state.publication?.deferred ?? null;
  const publish = deferred === null ? [] : [`The branch ${state.branch} does not have this work yet. ${deferred}`];
  if (state.finished !== null) return publish;
  const resume = `\`stint resume ${state.run}\``;
  if (state.paused) return [...publish, `Go on with ${resume}, or end it with \`stint stop --run ${state.run}\`.`];
  if (state.parked === null) return [...publish, `Nothing is lost. Go on with ${resume}.`];
  return [...publish, state.parked.reason === "budget" ? raiseCap(state) : cures[state.parked.reason](resume)];
}

/** A cap of the command line stands above the settings, so it is raised where it was set. */
function raiseCap({ run, settings: { budgetUsd, askedUsd }, usage }: RunState): string {
  const byFlag = `\`stint resume ${run} --budget-usd <amount>\``;
  if (askedUsd !== null && usage.usd >= askedUsd) return `Go on with ${byFlag}.`;
  const bySettings = `Raise \`budget\` in the settings, \`stint approve --yes\`, then \`stint resume ${run}\``;
  return budgetUsd !== null && usage.usd >= budgetUsd ? `${bySettings}; or ${byFlag}.` : `${bySettings}.`;
}

const cures: Record<Exclude<ParkReason, "budget">, (resume: string) => string> = {
  blocked: (resume) =>
    `\`stint log <task>\` shows the evidence. Then \`stint requeue <task>\` and ${resume}; or change the plan, \`stint approve\` and \`stint run\`.`,
  question: (resume) => `Answer with \`stint answer <id> "…"\`, then ${resume}.`,
  taken: (resume) =>
    `\`stint submit <task>\` hands in what you did; \`stint requeue <task>\` and ${resume} give it to agents.`,
  rest: () => "`stint run` goes on with the rest.",
  "broken-check": (resume) =>
    `\`stint log <task>\` shows why. Mend the machine, \`stint requeue <task>\` and ${resume}; or mend the check, \`stint approve\` and \`stint run\`.`,
  "final-red": (resume) =>
    `\`stint log\` shows the output of the red checks. If the cause is outside the branch, mend it and ${resume}.`,
  limit: (resume) => `Go on with ${resume} when the limit is reset.`,
  overloaded: (resume) => `Go on with ${resume} later.`,
  auth: (resume) =>
    `Log the agent in or correct its key (your own login is not used; \`stint doctor\` prints the command), then ${resume}.`,
  agent: (resume) =>
    `Correct the role's model or the agent's entry in the settings, \`stint approve --yes\` and ${resume}; or mend the agent, then ${resume}.`,
  moved: (resume) => `Find out who moved the ref; put it back, then ${resume}.`,
};
