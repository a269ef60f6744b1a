import { openHooks, type Hooks } from "../hooks/hooks.ts";
import type { Redactor } from "../redact.ts";
import type { Approval } from "./approvals.ts";
import { runLayout } from "./layout.ts";
import type { Ready } from "./open-run.ts";
import { whyHookDiffers } from "./programs.ts";
import type { Project } from "./project.ts";
import type { RunEntry } from "./runs.ts";
import type { Observer } from "./take-up.ts";

export interface HookedRun {
  readonly ready: Ready;
  readonly run: string;
  /** What its journal holds already. */
  readonly entries: readonly RunEntry[];
  readonly approval: Approval | undefined;
  readonly redact: Redactor;
  readonly warn: ((message: string) => void) | undefined;
  readonly observe: Observer;
}

/** Opens the hooks of a run before its next event, and an observer by which they hear what the given one hears. */
export function withHooks(
  { layout, env, repo: { root } }: Project,
  { ready, run, entries, approval, redact, warn = () => undefined, observe }: HookedRun,
): { readonly hooks: Hooks; readonly observe: Observer } {
  const hooks = openHooks({
    hooks: ready.config.hooks,
    run,
    plan: ready.plan.name,
    dir: runLayout(layout, run).dir,
    root,
    env,
    redact,
    entries,
    whyNotApproved: (command) => whyHookDiffers(command, root, approval?.programs ?? {}),
    warn,
  });
  const both: Observer = (entry) => {
    observe(entry);
    hooks.hear(entry);
  };
  return { hooks, observe: both };
}
