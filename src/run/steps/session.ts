import { attemptOf } from "../../engine/attempt.ts";
import { taskOf } from "../../engine/state.ts";
import { executorInbox, executorPrompt } from "../../prompts/executor.ts";
import { taskFile, type Run } from "../run.ts";
import { runCapped } from "./capped-session.ts";

/** Gives the task to an agent in a workspace of its own and journals how the session ended. */
export async function workOnTask(run: Run, id: string, signal: AbortSignal): Promise<void> {
  const { base, number: attempt, role } = attemptOf(taskOf(run.state, id));
  const key = { task: id, attempt };
  const { repo } = run.ports;
  await repo.giveWorkspace(key, { base, signal, stillOwn: run.stillOwn });
  const { plan, rules, state, prompts } = run;
  const task = taskFile(run, id);
  const inputs = await repo.inputs(base, task.sourceDocs);
  const briefing = { plan, rules, task, state, documents: run.documents, prompts, inputs };
  await runCapped(run, {
    key,
    of: id,
    role,
    prompt: executorPrompt(briefing),
    inbox: executorInbox(briefing),
    signal,
    started: (process, marker, endsTurn) => run.append({ type: "agent-started", ...key, process, marker, endsTurn }),
    ended: (end) => run.append({ type: "agent-finished", ...key, ...end }),
  });
}

/** A session recorded by a driver that died: it is proven dead or killed before anything else happens to its task. */
export async function endSession(run: Run, id: string): Promise<void> {
  const { number: attempt, process, role } = attemptOf(taskOf(run.state, id));
  if (process === null) throw new Error(`Internal error: expected a recorded process of ${id}, but was null`);
  const key = { task: id, attempt };
  const usage = await run.ports.sessions.end(key, { ...process, role });
  const outcome = { kind: "interrupted", detail: "Stint ended while the session ran" } as const;
  run.append({ type: "agent-finished", ...key, outcome, report: null, reportProblem: null, usage });
}
