import { applyCommands } from "./commands/apply-commands.ts";
import type { Run } from "./run.ts";

/** Journals commands while a run is driven, as they arrive and those that were there before; returns how to stop that. */
export function hearCommands(run: Run, onFailure: (failure: unknown) => void): () => void {
  const look = () => {
    try {
      // A driver that was overruled while it waited would wait for ever, and take what is meant for the other one.
      run.stillOwn();
      applyCommands(run.ports.commands, { ...run, approvedRevision: (wanted) => run.ports.planner.approved(wanted) });
    } catch (error) {
      unwatch?.();
      onFailure(error);
      run.bell.ring();
    }
  };
  let unwatch: (() => void) | undefined;
  look();
  unwatch = run.ports.commands.watch(look);
  return unwatch;
}
