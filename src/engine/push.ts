import type { RunState } from "./state.ts";

/** Whether work has landed that the user's branch does not have. */
export function isUnpublished({ tip, base, publication }: RunState): boolean {
  return tip !== base && (publication?.commit !== tip || publication.deferred !== null);
}

/** Whether the remote lacks a tip it should have; one that it refused is offered again when the run resumes. */
export function pushDue(state: RunState): boolean {
  const { tip, publication, push } = state;
  return isUnpushed(state) && publication?.commit === tip && push?.commit !== tip;
}

/** Whether something is left to push, now or once a person has fixed what the remote refused it for. */
export function isUnpushed(state: RunState): boolean {
  const { tip, push } = state;
  return isPushAsked(state) && (push?.commit !== tip || push.failed !== null);
}

/** Whether the settings want the present tip at the remote. */
export function isPushAsked({ settings, tip, base, finished }: RunState): boolean {
  return tip !== base && (settings.push === "task" || (settings.push === "run" && finished !== null));
}
