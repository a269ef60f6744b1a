import type { Action } from "../../engine/action.ts";
import { attemptOf } from "../../engine/attempt.ts";
import { judgingOf, type Judging } from "../../engine/judging.ts";
import { taskOf } from "../../engine/state.ts";
import { judgeInbox, judgePrompt } from "../../prompts/judge.ts";
import { judgeKey } from "../../project/paths.ts";
import { ofPlan } from "../../agents/live-spending.ts";
import type { SessionEnd } from "../../agents/session-port.ts";
import { taskFile, type Run } from "../run.ts";
import { runCapped } from "./capped-session.ts";

/** Puts one question to a judge, in a workspace of which nothing but the outbox is read back. */
export async function askJudge(
  run: Run,
  { of: id, question }: Extract<Action, { type: "judge" }>,
  signal: AbortSignal,
): Promise<void> {
  const judging = judgingOf(run.state, id);
  if (judging === null) throw new Error(`Internal error: expected a change to judge of ${id}, but was null`);
  const session = (run.state.judges.get(id)?.sessions ?? 0) + 1;
  const about = { task: id, attempt: id === null ? 0 : taskOf(run.state, id).attempts, question, session };
  const key = judgeKey(about);
  const { repo, clock } = run.ports;
  await repo.giveWorkspace(key, { base: judging.checked.placed, signal, stillOwn: run.stillOwn });
  const diff = await repo.diff(changeOf(run, id, judging));
  const { plan, rules, prompts } = run;
  const briefing = { plan, rules, prompts, task: id === null ? null : taskFile(run, id), question, diff };
  const before = Date.parse(clock.now());
  await runCapped(run, {
    key,
    of: id ?? ofPlan,
    role: "judge",
    prompt: judgePrompt(briefing),
    inbox: judgeInbox(briefing),
    signal,
    started: (process, marker) => run.append({ type: "judge-started", ...about, process, marker }),
    ended: (end) => {
      const durationMs = Math.max(0, Date.parse(clock.now()) - before);
      run.append({ type: "judged", ...about, diff: judging.diff, ...wordOf(end), durationMs });
    },
  });
  repo.removeWorkspace(key);
}

/** A judge recorded by a driver that died: it is proven dead or killed, and the question is asked again. */
export async function endJudge(run: Run, id: string | null): Promise<void> {
  const open = run.state.judges.get(id)?.open ?? null;
  if (open === null) throw new Error(`Internal error: expected a recorded judge of ${id}, but was null`);
  const { attempt, question, session, process: identity, marker } = open;
  const about = { task: id, attempt, question, session };
  const usage = await run.ports.sessions.end(judgeKey(about), { identity, marker, role: "judge" });
  const outcome = { kind: "interrupted", detail: "Stint ended while the session ran" } as const;
  const nothing = { diff: "", judgement: null, problem: null, durationMs: 0 };
  run.append({ type: "judged", ...about, ...nothing, outcome, usage });
  run.ports.repo.removeWorkspace(judgeKey(about));
}

/** A judge of a task sees what its candidate changes; a judge of the plan sees all that the run changed. */
function changeOf({ state }: Run, id: string | null, { checked }: Judging): { from: string; to: string } {
  if (id === null) return { from: state.base, to: checked.tip };
  const { base, candidate } = attemptOf(taskOf(state, id));
  return { from: base, to: candidate?.commit ?? checked.placed };
}

/** The word of a judge counts only where its session went well. */
function wordOf({ outcome, judgement, usage, sessionId, model, agent, program }: SessionEnd) {
  const who = { ...(agent !== undefined && { agent }), ...(program !== undefined && { program }) };
  const session = { outcome, usage, sessionId, model, ...who };
  if (judgement === undefined || "problem" in judgement)
    return { ...session, judgement: null, problem: judgement?.problem ?? null };
  return outcome.kind === "ok"
    ? { ...session, judgement, problem: null }
    : { ...session, judgement: null, problem: null };
}
