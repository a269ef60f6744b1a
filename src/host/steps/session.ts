import { atLeast } from "../../engine/spending.ts";
import { taskOf } from "../../engine/state.ts";
import { executorPrompt } from "../../prompts/executor.ts";
import { inboxFiles } from "../../prompts/inbox.ts";
import { capSwitch, enforceCaps } from "../live-spending.ts";
import { taskFile, type Run } from "../run.ts";

/** Gives the task to an agent in a workspace of its own and journals how the session ended. */
export async function workOnTask(run: Run, id: string, signal: AbortSignal): Promise<void> {
  const { base, attempt, role } = taskOf(run.state, id);
  const key = { task: id, attempt };
  const { repo, sessions, documents } = run.ports;
  await repo.giveWorkspace(key, { base, signal });
  const { plan, rules, state, prompts } = run;
  const task = taskFile(run, id);
  const inputs = await repo.inputs(base, task.sourceDocs);
  const briefing = { plan, rules, task, state, documents: run.documents, prompts, inputs };
  const prompt = executorPrompt(briefing);
  documents.write(`${documents.attemptDir(key)}/prompt.md`, prompt);
  const cap = capSwitch();
  run.live.set(id, cap);
  try {
    const result = await sessions.run({
      key,
      role,
      prompt,
      inbox: inboxFiles(briefing),
      signal: AbortSignal.any([signal, cap.signal]),
      started: (process, marker) => run.append({ type: "agent-started", ...key, process, marker }),
      used: (spending) => {
        // An agent that tells money at last may tell less than its tokens were priced at.
        cap.spending = atLeast(spending, cap.spending);
        enforceCaps(state, run.live);
      },
      // What is said last may reach the cap, but the work it speaks of is done and paid for.
      lastWord: cap.disarm,
    });
    const detail = signal.aborted || result.outcome.kind === "ok" ? null : cap.why();
    const outcome = detail === null ? result.outcome : ({ kind: "budget", detail } as const);
    // What ended a session at a cap is recorded: else the cap would not hold, and such sessions followed one another.
    const usage = detail === null ? result.usage : atLeast(result.usage, cap.spending);
    run.live.delete(id);
    run.append({ type: "agent-finished", ...key, ...result, outcome, usage });
    enforceCaps(state, run.live);
  } finally {
    run.live.delete(id);
    cap.disarm();
  }
}

/** A session recorded by a driver that died: it is proven dead or killed before anything else happens to its task. */
export async function endSession(run: Run, id: string): Promise<void> {
  const { attempt, process, role } = taskOf(run.state, id);
  if (process === null) throw new Error(`Internal error: expected a recorded process of ${id}, but was null`);
  const key = { task: id, attempt };
  const usage = await run.ports.sessions.end(key, { ...process, role });
  const outcome = { kind: "interrupted", detail: "Stint ended while the session ran" } as const;
  run.append({ type: "agent-finished", ...key, outcome, report: null, reportProblem: null, usage });
}
