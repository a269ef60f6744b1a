import type { RunState } from "./state.ts";

/** Whether work has landed that the user's branch does not have, because it is yet to be published or cannot be. */
export function isUnpublished(state: RunState): boolean {
  return publishDue(state) || whyUnpublished(state) !== undefined;
}

/** Returns why the user's branch could not take the work; undefined where it could, or where `holder`, another branch of theirs, has it. */
export function whyUnpublished({ publication }: RunState, holder?: string): string | undefined {
  return holder === undefined ? (publication?.deferred ?? undefined) : undefined;
}

/** Whether the user's branch has not been offered the present tip. */
export function publishDue({ tip, base, publication }: RunState): boolean {
  return tip !== base && publication?.commit !== tip;
}

/** Whether the remote lacks a tip it should have; one that it refused is offered again when the run resumes. */
export function pushDue(state: RunState): boolean {
  return isUnpushed(state) && !publishDue(state) && state.push?.commit !== state.tip;
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

/** Whether the user's branch or the remote did not take what it was offered; it is offered again when the run resumes. */
export function isSharingRefused(state: RunState): boolean {
  return whyUnpublished(state) !== undefined || (state.push?.failed ?? null) !== null;
}
