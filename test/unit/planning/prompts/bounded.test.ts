import { expect, test } from "vitest";
import { planningLimits } from "../../../../src/planning/limits.ts";
import type { PlanningPhase } from "../../../../src/planning/machine/events.ts";
import { plannerInbox, plannerPrompt } from "../../../../src/planning/prompts/planner.ts";
import { plannerBriefing } from "../../../rig/planner-briefing.ts";

/** Two numbers that have more digits, and a word that there are more inputs than named. */
const slack = 60;

test.each<PlanningPhase>(["interview", "gaps", "draft", "critique"])(
  "The prompt of the phase %s is as long with a thousand inputs, tasks and faults as with the few that it names.",
  (phase) => {
    const [few, many] = [planningLimits.inputsNamedMax, 1_000].map((count) => plannerBriefing(phase, count)) as [
      ReturnType<typeof plannerBriefing>,
      ReturnType<typeof plannerBriefing>,
    ];
    const more = Buffer.byteLength(plannerPrompt(many)) - Buffer.byteLength(plannerPrompt(few));
    expect(more).toBeLessThan(slack);
    // The control: all of it lies in the inbox.
    expect(plannerInbox(many).size).toBeGreaterThanOrEqual(2_000);
    expect(plannerInbox(many).size - plannerInbox(few).size).toBe(2 * (1_000 - planningLimits.inputsNamedMax));
  },
);
