import { atLeast } from "../../engine/spending.ts";
import { capSwitch, enforceCaps, isCapped } from "../../agents/live-spending.ts";
import type { SessionEnd, SessionPort } from "../../agents/session-port.ts";
import type { Run } from "../run.ts";

type Request = Omit<Parameters<SessionPort["run"]>[0], "used" | "lastWord"> & {
  /** Whose cap it counts against. */
  readonly of: string;
  /** Journals the end. */
  readonly ended: (end: SessionEnd) => void;
};

/** Runs a session that the caps of the run and of its task can end; what it used is recorded however it ends. */
export async function runCapped(run: Run, { of, ended, signal, ...request }: Request): Promise<void> {
  const { documents, sessions } = run.ports;
  documents.write(`${documents.attemptDir(request.key)}/prompt.md`, request.prompt);
  // What a session finds in its outbox is removed first, and might be the word of another driver's agent.
  run.stillOwn();
  const cap = capSwitch(run.ports.clock, () => isCapped(run.state, run.live, of));
  run.live.set(of, cap);
  try {
    const result = await sessions.run({
      ...request,
      signal: AbortSignal.any([signal, cap.signal]),
      used: (spending) => {
        // An agent that reports money at last may report less than its tokens were priced at.
        cap.spending = atLeast(spending, cap.spending);
        enforceCaps(run.state, run.live);
      },
      // What is said last may reach the cap, but the work it speaks of is done and paid for.
      lastWord: cap.disarm,
    });
    const detail = signal.aborted || result.outcome.kind === "ok" ? undefined : cap.stopReason();
    const outcome = detail === undefined ? result.outcome : ({ kind: "budget", detail } as const);
    // What ended a session at a cap is recorded: else the cap would not hold, and such sessions followed one another.
    const usage = detail === undefined ? result.usage : atLeast(result.usage, cap.spending);
    run.live.delete(of);
    ended({ ...result, outcome, usage });
    enforceCaps(run.state, run.live);
  } finally {
    run.live.delete(of);
    cap.disarm();
  }
}
