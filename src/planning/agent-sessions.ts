import { endLeftovers } from "../process/supervise.ts";
import type { Config } from "../config/load.ts";
import type { ProcessIdentity, Spending } from "../engine/session.ts";
import { noSpending } from "../engine/spending.ts";
import { planningLimits } from "./limits.ts";
import { roleOf, type PlanningPhase } from "./machine/events.ts";
import type { Left } from "./machine/session-output.ts";
import type { PlanningState } from "./machine/state.ts";
import type { Redactor } from "../base/redact.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { removeCheckout } from "../workspace/checkout.ts";
import { findFurnished, furnish } from "../workspace/furnished.ts";
import { removeAside } from "../workspace/remove.ts";
import { dirtyPathsIn } from "../workspace/snapshot.ts";
import { checkoutStyle } from "../workspace/checkout-style.ts";
import { sessionPaths, type PlanningPaths } from "../project/paths.ts";
import type { SessionEnd } from "../agents/session-port.ts";
import type { Project } from "../project/project.ts";
import { furnitureOf } from "../workspace/checkout-furniture.ts";
import { realSessions, type Listener } from "../agents/real-sessions.ts";
import { readLeft } from "./read-outbox.ts";
import { withoutSecretsIn } from "./redact-left.ts";

/** One session of a planning, before it begins. */
export interface PlannerSession {
  readonly phase: PlanningPhase;
  /** From 1, over all phases. */
  readonly session: number;
  /** From 1, of this phase. */
  readonly nth: number;
  readonly prompt: string;
  readonly inbox: ReadonlyMap<string, Uint8Array>;
  readonly signal: AbortSignal;
  /** Called while the process is held; when this returns, its record is durable. */
  readonly started: (process: ProcessIdentity, marker: string) => void;
}

/** How it ended, with all that is read back of it. */
export interface PlannerSessionEnd extends SessionEnd {
  readonly left: Left;
  /** Paths that it changed in its throwaway clone. */
  readonly dirty: readonly string[];
}

/** How a planning gets sessions; a run that revises its plan counts them against its caps. */
export interface PlannerSessions {
  readonly run: (request: PlannerSession) => Promise<PlannerSessionEnd>;
  /** Proves a recorded session dead, or kills it; returns what it had used. */
  readonly end: (open: NonNullable<PlanningState["open"]>) => Promise<Spending>;
  /** Throws away where a session worked, once all that is kept of it is kept. */
  readonly discard: (session: Pick<PlannerSession, "phase" | "session">) => Promise<void>;
}

export interface PlannerContext {
  readonly project: Project;
  readonly config: Config;
  readonly sandbox: Sandbox;
  readonly redact: Redactor;
  readonly paths: PlanningPaths;
  /** The commit that the clones are made of. */
  readonly base: string;
  readonly hear: Listener;
  /** Told of all that the running session has used so far. */
  readonly used: (spending: Spending) => void;
}

/** Sessions of the planner and the reviewer that the settings name, each in a clone that is thrown away. */
export function plannerSessions(context: PlannerContext): PlannerSessions {
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

async function runSession(context: PlannerContext, request: PlannerSession): Promise<PlannerSessionEnd> {
  const { redact, used } = context;
  const { phase, session, nth, signal } = request;
  const paths = context.paths.session(session, phase);
  const key = { task: phase, attempt: nth };
  const { dir, outbox } = sessionPaths(paths, key);
  const unfit = await giveClone(context, { dir, logDir: paths.dir, signal });
  if (unfit !== undefined) return { ...noSession, outcome: { kind: "misconfigured", detail: unfit } };
  const end = await realSessions({ ...context, paths }).run({ ...request, key, role: roleOf[phase], used });
  const left = withoutSecretsIn(await readLeft(outbox), redact);
  return { ...end, left, dirty: await dirtyIn(context, dir) };
}

/** The end of one that never began. */
export const noSession = {
  report: null,
  reportProblem: null,
  usage: noSpending,
  sessionId: null,
  model: null,
  left: { draft: new Map(), rules: null, questions: [], findings: null, problems: [] },
  dirty: [],
};

/** A clone at the base, as judges get it, or why there is none; what lies there of a process that died is nobody's work. */
async function giveClone(
  { project, config, sandbox, redact, base }: PlannerContext,
  { dir, logDir, signal }: { readonly dir: string; readonly logDir: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  await endLeftovers({ cwdWithin: dir, environWithin: dir });
  await removeCheckout(dir);
  const furniture = furnitureOf(project, { config, sandbox, trusted: { base }, redact });
  const made = await furnish(project.control, furniture, { dir, commit: base, ...checkoutStyle, logDir, signal });
  return made.ok ? undefined : made.failure.message;
}

/** Nothing of it is kept, and nothing depends on it: where it cannot be told, that is said in its place. */
async function dirtyIn({ project, base }: PlannerContext, dir: string): Promise<readonly string[]> {
  const clone = await findFurnished({ dir, commit: base, ...checkoutStyle });
  if (clone === undefined) return ["its working directory, which is gone"];
  const signal = AbortSignal.timeout(planningLimits.dirtyLookMsMax);
  const paths = await dirtyPathsIn(project.control, clone.checkout, { exclude: clone.madePaths, signal });
  const rest = paths.length - planningLimits.dirtyPathsMax;
  return rest > 0 ? [...paths.slice(0, planningLimits.dirtyPathsMax), `${rest} more`] : paths;
}
