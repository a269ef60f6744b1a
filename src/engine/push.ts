import type { RunState } from "./state.ts";

/** Whether the remote lacks a tip it should have; one that it refused is offered again when the run is taken up. */
export function pushDue(state: RunState): boolean {
  const { settings, tip, base, publication, push, finished } = state;
  if (settings.push === "never" || tip === base || publication?.commit !== tip) return false;
  return (settings.push === "task" || finished !== null) && push?.commit !== tip;
}
