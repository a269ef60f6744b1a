import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Outcome } from "../../engine/session.ts";
import type { PlanningPhase } from "../machine/events.ts";
import type { Left } from "../machine/session-output.ts";
import type { PlanningState } from "../machine/state.ts";
import { plannerInbox, plannerPrompt } from "../prompts/planner.ts";
import { realMachine } from "../../project/machine.ts";
import { currentDocuments, keepDocuments } from "../draft-files.ts";
import { filesOfLeft, writeFolder } from "../documents.ts";
import type { PlanningHands } from "../drive.ts";

/** Runs one session; all that it left is on the disk before its end is recorded. */
export async function runPlannerSession(hands: PlanningHands, phase: PlanningPhase): Promise<Outcome> {
  const { state, paths, sessions, materials, append, write, signal } = hands;
  const about = { phase, session: state.sessions + 1 };
  const folder = paths.session(about.session, phase).dir;
  const [map, { draft }] = await Promise.all([readFile(paths.map, "utf8"), currentDocuments(hands)]);
  const briefing = { ...materials, phase, state, map, draft };
  const prompt = plannerPrompt(briefing);
  write(join(folder, "prompt.md"), prompt);
  const { elapsed } = realMachine.clock;
  const before = elapsed();
  const { outcome, usage, left, dirty } = await sessions.run({
    ...about,
    nth: state.sessionsOf[phase] + 1,
    prompt,
    inbox: plannerInbox(briefing),
    signal,
    started: (process, marker) => append({ type: "session-started", ...about, process, marker }),
  });
  await writeFolder(join(folder, "left"), filesOfLeft(left));
  const said = saidBy(phase, left);
  if (outcome.kind === "ok" && (said.hasDraft || said.hasScope)) await keepDocuments(hands, { at: about, left });
  append({ type: "session-ended", ...about, outcome, usage, durationMs: elapsed() - before, ...said, dirty });
  await sessions.discard(about);
  return outcome;
}

/** Ends a session that a dead process recorded; it is run again, because nobody knows whether what it left is whole. */
export async function settleSession(
  hands: PlanningHands,
  open: NonNullable<PlanningState["open"]>,
): Promise<undefined> {
  const { append, sessions } = hands;
  const { phase, session } = open;
  const usage = await sessions.end(open);
  const outcome = { kind: "interrupted", detail: "Stint ended while the session ran" } as const;
  append({ type: "session-ended", phase, session, outcome, usage, durationMs: 0, ...nothingSaid, dirty: [] });
  await sessions.discard(open);
  return undefined;
}

const nothingSaid = { questions: [], hasScope: false, hasDraft: false, findings: null, problems: [] };

/** What of it counts in this phase: a critic writes no plan, and a planner no findings. */
function saidBy(phase: PlanningPhase, { draft, rules, questions, findings, problems }: Left) {
  const names = [...draft.keys()];
  const hasDraft = names.some((name) => name === "plan.md" || name.startsWith("tasks/"));
  if (phase !== "critique")
    return { questions, hasScope: names.includes("scope.md"), hasDraft, findings: null, problems };
  const extra = names.length > 0 || rules !== null ? ["a critique leaves findings; its plan is not taken"] : [];
  return { ...nothingSaid, findings, problems: [...problems, ...extra] };
}
