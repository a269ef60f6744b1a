import { isObsolete, type Action } from "../../engine/action.ts";
import type { RunEvent } from "../../engine/events.ts";
import type { Outcome } from "../../engine/session.ts";
import type { TaskState } from "../../engine/state.ts";
import { atLeast, beyond } from "../../engine/spending.ts";
import { capSwitch, enforceCaps, isCapped, ofPlan } from "../../agents/live-spending.ts";
import type { Proposed } from "../ports.ts";
import { usePlan, type Run } from "../run.ts";

type Replan = Extract<Action, { type: "replan" }>;

/** Asks a planner for another plan, within the caps of the run; what it used is recorded however that ends. */
export async function performReplan(run: Run, action: Replan, signal: AbortSignal): Promise<void> {
  const { revision, asking } = action;
  if (run.state.replanning.open?.revision !== revision) {
    run.append({ type: "replan-started", revision, tasks: asking.map(({ task }) => task) });
  }
  const cap = capSwitch(run.ports.clock, () => isCapped(run.state, run.live, ofPlan));
  const known = run.state.replanning.open?.spent ?? cap.spending;
  run.live.set(ofPlan, cap);
  try {
    const proposed = await run.ports.planner.propose({
      revision,
      asking,
      signal: AbortSignal.any([signal, cap.signal]),
      used: (spending) => {
        cap.spending = atLeast(beyond(spending, known), cap.spending);
        enforceCaps(run.state, run.live);
      },
    });
    const usage = atLeast(beyond(proposed.usage, known), cap.spending);
    const capped = signal.aborted ? undefined : cap.stopReason();
    const ended: Ended | null = signal.aborted
      ? overtaken
      : capped === undefined
        ? null
        : { kind: "budget", detail: capped };
    run.live.delete(ofPlan);
    run.append(conclude(run, action, { ...proposed, usage }, ended));
    enforceCaps(run.state, run.live);
  } finally {
    run.live.delete(ofPlan);
    cap.disarm();
  }
}

type Ended = { readonly kind: "interrupted" | "budget"; readonly detail: string };

const overtaken: Ended = { kind: "interrupted", detail: "Stint ended it before there was a plan" };

/** `ended` says how we ended the session, null where we did not. */
function conclude(run: Run, action: Replan, proposed: Proposed, ended: Ended | null): RunEvent {
  const { revision } = action;
  const { usage } = proposed;
  // A person may have acted in the moment before this step is aborted.
  const ours = isObsolete(run.state, action) ? overtaken : proposed.kind === "none" ? ended : null;
  if (ours !== null) return { type: "replan-failed", revision, why: ours.detail, outcome: ours, usage };
  if (proposed.kind === "none")
    return { type: "replan-failed", revision, why: proposed.why, outcome: notOurs(proposed.outcome), usage };
  const { commit, planHash, tasks, changes } = proposed;
  return { type: "replan-proposed", revision, commit, planHash, tasks, changes, usage };
}

/** Nobody ended it here: taken at its word, such a session would be begun again for ever. */
function notOurs(outcome: Outcome | null): Outcome | null {
  if (outcome?.kind !== "interrupted" && outcome?.kind !== "budget") return outcome;
  return { kind: "crashed", detail: outcome.detail };
}

/** Sessions of a driver that died may live on, and what they used is not known yet. */
export async function endReplan(run: Run, { revision, why }: Extract<Action, { type: "end-replan" }>): Promise<void> {
  const ended = { revision, asking: [], signal: AbortSignal.abort(), used: () => undefined };
  const { usage: used } = await run.ports.planner.propose(ended);
  const usage = beyond(used, run.state.replanning.open?.spent ?? used);
  if (usage.inputTokens + usage.outputTokens + usage.usd > 0) {
    run.append({ type: "replan-failed", revision, why: overtaken.detail, outcome: overtaken, usage });
  }
  run.append({ type: "revision-dropped", revision, why });
}

/** Reads the plan of the accepted revision and puts it in force, in the journal and in this driver. */
export async function adoptRevision(
  run: Run,
  action: Extract<Action, { type: "adopt" }>,
  signal: AbortSignal,
): Promise<void> {
  const read = await run.ports.planner.read(action.commit);
  signal.throwIfAborted();
  const { accepted } = run.state.replanning;
  if (accepted === null || isObsolete(run.state, action)) return;
  const begun = accepted.changes.flatMap(({ id }) => run.state.tasks.get(id) ?? []).filter(hasOnlyBegun);
  const keys = begun.map(({ spec, attempts }) => ({ task: spec.id, attempt: attempts }));
  run.append({ type: "plan-revised", ...accepted });
  usePlan(run, read);
  for (const key of keys) run.ports.repo.removeWorkspace(key);
}

/** No agent has seen its workspace. */
function hasOnlyBegun({ phase }: TaskState): boolean {
  return phase === "started" || phase === "baselined";
}
