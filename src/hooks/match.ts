import type { HookConfig } from "../config/types.ts";
import type { RunEvent } from "../engine/events.ts";
import { headlinesOf } from "../engine/headlines.ts";

/** The first name under which the hook asked for the event, or undefined if it did not. */
export function matchedName({ on }: HookConfig, event: RunEvent): string | undefined {
  const names = new Set<string>([event.type, ...headlinesOf(event)]);
  return on.find((name) => names.has(name));
}
