import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { realMachine } from "../../project/machine.ts";
import { currentDocuments, filesOfOutput, keepDocuments, writeFolder } from "../draft-files.ts";
import type { PlanningPhase } from "../machine/events.ts";
import type { SessionOutput } from "../machine/session-output.ts";
import type { PlanningState } from "../machine/state.ts";
import type { PlanningEnd, PlanningSession } from "../planning-session.ts";
import { plannerInbox, plannerPrompt } from "../prompts/planner.ts";

/** Runs one session of an agent; all its output is on the disk before its end is recorded. */
export async function runSession(planning: PlanningSession, phase: PlanningPhase): Promise<PlanningEnd | undefined> {
  const { state, paths, ports, materials, append, signal } = planning;
  const about = { phase, session: state.sessions + 1 };
  const folder = paths.session(about.session, phase).dir;
  const [map, { draft }] = await Promise.all([readFile(paths.map, "utf8"), currentDocuments(planning)]);
  const briefing = { ...materials, phase, state, map, draft };
  const prompt = plannerPrompt(briefing);
  ports.write(join(folder, "prompt.md"), prompt);
  const { elapsed } = realMachine.clock;
  const before = elapsed();
  const { outcome, usage, output, dirty, agent, program } = await ports.sessions.run({
    ...about,
    nth: state.sessionsOf[phase] + 1,
    prompt,
    inbox: plannerInbox(briefing),
    signal,
    started: (process, marker) => append({ type: "session-started", ...about, process, marker }),
  });
  await writeFolder(join(folder, "left"), filesOfOutput(output));
  const counted = countedOutput(phase, output);
  if (outcome.kind === "ok" && (counted.hasDraft || counted.hasScope))
    await keepDocuments(planning, { at: about, output });
  const who = { ...(agent !== undefined && { agent }), ...(program !== undefined && { program }) };
  append({
    type: "session-ended",
    ...about,
    outcome,
    usage,
    durationMs: elapsed() - before,
    ...counted,
    dirty,
    ...who,
  });
  await ports.sessions.discard(about);
  return outcome.kind === "interrupted" ? { kind: "interrupted" } : undefined;
}

/** Ends a session that a dead process recorded. It is run again: its output may be incomplete. */
export async function endSession(
  { append, ports: { sessions } }: PlanningSession,
  open: NonNullable<PlanningState["open"]>,
): Promise<undefined> {
  const { phase, session } = open;
  const usage = await sessions.end(open);
  const outcome = { kind: "interrupted", detail: "Stint ended while the session ran" } as const;
  append({ type: "session-ended", phase, session, outcome, usage, durationMs: 0, ...noOutput, dirty: [] });
  await sessions.discard(open);
}

const noOutput = { questions: [], hasScope: false, hasDraft: false, findings: null, problems: [] };

/** Returns what counts in this phase: a critic writes no plan, and a planner no findings. */
function countedOutput(phase: PlanningPhase, { draft, rules, questions, findings, problems }: SessionOutput) {
  const names = [...draft.keys()];
  const hasDraft = names.some((name) => name === "plan.md" || name.startsWith("tasks/"));
  if (phase !== "critique")
    return { questions, hasScope: names.includes("scope.md"), hasDraft, findings: null, problems };
  const extra = names.length > 0 || rules !== null ? ["a critique leaves findings; its plan is ignored"] : [];
  return { ...noOutput, findings, problems: [...problems, ...extra] };
}
