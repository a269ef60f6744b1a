import type { ParkReason } from "../engine/events.ts";
import type { RunState } from "../engine/state.ts";

/** What a person may want to do now, said at the end of a run and by `stint status`. */
export function nextSteps(state: RunState): string[] {
  const deferred = state.publication?.deferred ?? null;
  const publish = deferred === null ? [] : [`The branch ${state.branch} does not have this work yet. ${deferred}`];
  if (state.finished !== null) return publish;
  const resume = `\`stint resume ${state.run}\``;
  if (state.parked === null) return [...publish, `Nothing is lost. Go on with ${resume}.`];
  return [...publish, cures[state.parked.reason](resume)];
}

const cures: Record<ParkReason, (resume: string) => string> = {
  blocked: (resume) =>
    `\`stint log <task>\` shows the evidence. Then \`stint requeue <task>\` and ${resume}; or change the plan, \`stint approve\` and \`stint run\`.`,
  "broken-check": (resume) =>
    `\`stint log <task>\` shows why. Mend the machine, \`stint requeue <task>\` and ${resume}; or mend the check, \`stint approve\` and \`stint run\`.`,
  "final-red": (resume) =>
    `\`stint log\` shows the output of the red checks. If the cause is outside the branch, mend it and ${resume}.`,
  budget: (resume) => `Go on with ${resume} --budget-usd and a higher amount.`,
  limit: (resume) => `Go on with ${resume} when the limit is reset.`,
  overloaded: (resume) => `Go on with ${resume} later.`,
  auth: (resume) => `Log the agent in, then ${resume}.`,
  moved: (resume) => `Find out who moved the ref; put it back, then ${resume}.`,
};
