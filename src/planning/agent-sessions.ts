import { endLeftovers } from "../process/supervise.ts";
import type { CommandWatch } from "../checks/running-command.ts";
import type { Config } from "../config/load.ts";
import type { Spending } from "../engine/session.ts";
import { noSpending, add, atLeast } from "../engine/spending.ts";
import { planningLimits } from "./limits.ts";
import { roleOf } from "./machine/events.ts";
import type { Redactor } from "../base/redact.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { checkoutStyle, removeCheckout } from "../workspace/checkout.ts";
import { findFurnished, furnish } from "../workspace/furnished.ts";
import { removeAside } from "../workspace/remove.ts";
import { dirtyPathsIn } from "../workspace/snapshot.ts";
import { sessionPaths, type PlanningPaths } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import { furnitureOf } from "../workspace/checkout-furniture.ts";
import { realSessions, type Listener } from "../agents/real-sessions.ts";
import type { PlannerSession, PlannerSessionEnd, PlannerSessionPort } from "./ports.ts";
import { readOutbox } from "./read-outbox.ts";
import { whySpent } from "../engine/budget.ts";
import type { PlanningState } from "./machine/state.ts";
import { capSwitch } from "../agents/live-spending.ts";
import { realMachine } from "../project/machine.ts";

/** What the sessions of one planning session have in common. */
interface PlannerContext {
  readonly project: Project;
  readonly config: Config;
  readonly sandbox: Sandbox;
  readonly redact: Redactor;
  readonly paths: PlanningPaths;
  /** The commit that the clones are made from. */
  readonly base: string;
  readonly hear: Listener;
  readonly watch?: CommandWatch | undefined;
  /** Receives all that the running session has used so far. */
  readonly used: (spending: Spending) => void;
}

/** Runs the sessions of the planner and the reviewer that the settings name, each in a clone that is thrown away. */
export function plannerSessions(context: PlannerContext): PlannerSessionPort {
  return {
    run: async (request) => await runSession(context, request),
    end: async ({ phase, session, process: identity, marker }) => {
      const paths = context.paths.session(session, phase);
      const recorded = { role: roleOf[phase], identity, marker };
      return await realSessions({ ...context, paths }).end({ task: phase, attempt: session }, recorded);
    },
    discard: async ({ phase, session }) => {
      const { workspace } = context.paths.session(session, phase);
      await removeAside(workspace({ task: phase, attempt: session }), context.paths.scratch);
    },
  };
}

/** Runs sessions and ends them at the budget of the settings; a run that revises its plan has caps of its own. */
export function cappedSessions(
  context: Omit<PlannerContext, "used">,
  state: Pick<PlanningState, "usage">,
): PlannerSessionPort {
  const { usd: budgetUsd = null, tokens: budgetTokens = null } = context.config.budget;
  const why = (live: Spending) => whySpent(add(state.usage, live), { budgetUsd, budgetTokens }) ?? undefined;
  let used: PlannerContext["used"] = () => {};
  const sessions = plannerSessions({ ...context, used: (spending) => used(spending) });
  const run = async (request: PlannerSession): Promise<PlannerSessionEnd> => {
    const before = why(noSpending);
    if (before !== undefined) return { ...noSession, outcome: { kind: "budget", detail: before } };
    const cap = capSwitch(realMachine.clock, () => why(cap.spending) !== undefined);
    used = (spending) => {
      cap.spending = atLeast(spending, cap.spending);
      const reached = why(cap.spending);
      if (reached !== undefined) cap.stop(reached);
    };
    try {
      const end = await sessions.run({ ...request, signal: AbortSignal.any([request.signal, cap.signal]) });
      const detail = request.signal.aborted || end.outcome.kind === "ok" ? undefined : cap.stopReason();
      if (detail === undefined) return end;
      return { ...end, outcome: { kind: "budget", detail }, usage: atLeast(end.usage, cap.spending) };
    } finally {
      cap.disarm();
    }
  };
  return { ...sessions, run };
}

async function runSession(context: PlannerContext, request: PlannerSession): Promise<PlannerSessionEnd> {
  const { redact, used } = context;
  const { phase, session, nth, signal } = request;
  const paths = context.paths.session(session, phase);
  const key = { task: phase, attempt: nth };
  const { dir, outbox } = sessionPaths(paths, key);
  const unfit = await giveClone(context, { dir, logDir: paths.dir, signal });
  if (unfit !== undefined) return { ...noSession, outcome: { kind: "misconfigured", detail: unfit } };
  const end = await realSessions({ ...context, paths }).run({ ...request, key, role: roleOf[phase], used });
  const output = await readOutbox(outbox, redact);
  return { ...end, output, dirty: await dirtyIn(context, dir) };
}

/** The end of a session that never started. */
const noSession = {
  report: null,
  reportProblem: null,
  usage: noSpending,
  sessionId: null,
  model: null,
  output: { draft: new Map(), rules: null, questions: [], findings: null, problems: [] },
  dirty: [],
};

/** Makes a clone at the base, as judges get it, or says why there is none; the leftovers of a dead process are removed. */
async function giveClone(
  { project, config, sandbox, redact, base, watch }: PlannerContext,
  { dir, logDir, signal }: { readonly dir: string; readonly logDir: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  await endLeftovers({ cwdWithin: dir, environWithin: dir });
  await removeCheckout(dir);
  const furniture = furnitureOf(project, { config, sandbox, trusted: { base }, redact, watch });
  const made = await furnish(project.control, furniture, { dir, commit: base, ...checkoutStyle, logDir, signal });
  return made.ok ? undefined : made.failure.message;
}

/** Lists what the session changed in its clone, for people; nothing of it is kept. */
async function dirtyIn({ project, base }: PlannerContext, dir: string): Promise<readonly string[]> {
  const clone = await findFurnished({ dir, commit: base, ...checkoutStyle });
  if (clone === undefined) return ["its working directory, which is gone"];
  const signal = AbortSignal.timeout(planningLimits.dirtyLookMsMax);
  const paths = await dirtyPathsIn(project.control, clone.checkout, { exclude: clone.madePaths, signal });
  const rest = paths.length - planningLimits.dirtyPathsMax;
  return rest > 0 ? [...paths.slice(0, planningLimits.dirtyPathsMax), `${rest} more`] : paths;
}
