import { openHooks, type Hooks } from "../hooks/hooks.ts";
import type { Redactor } from "../base/redact.ts";
import type { Approval } from "../approval/approvals.ts";
import { runPaths } from "../project/paths.ts";
import type { Audience } from "./opened-run.ts";
import type { Ready } from "../approval/committed-plan.ts";
import { whyHookDiffers } from "../approval/programs.ts";
import type { Project } from "../project/project.ts";
import type { RunEntry } from "../hooks/run-entry.ts";

/** A run whose hooks are opened. */
export interface HookedRun {
  readonly ready: Ready;
  readonly run: string;
  /** The entries that its journal has already. */
  readonly entries: readonly RunEntry[];
  readonly approval: Approval | undefined;
  readonly redact: Redactor;
  readonly audience: Pick<Audience, "warn">;
}

/** Opens the hooks of a run before its next event. */
export function openRunHooks(
  { paths, env, repo: { root } }: Project,
  { ready, run, entries, approval, redact, audience }: HookedRun,
): Hooks {
  return openHooks({
    hooks: ready.config.hooks,
    run,
    plan: ready.plan.name,
    dir: runPaths(paths, run).dir,
    root,
    env,
    redact,
    entries,
    whyNotApproved: (command) => whyHookDiffers(command, root, approval?.programs ?? {}),
    warn: (message) => audience.warn?.(message),
  });
}
