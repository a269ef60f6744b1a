import type { HookConfig } from "../config/types.ts";
import type { RunEvent } from "../engine/events.ts";
import { headlinesOf } from "../engine/headlines.ts";

/** The first name under which the hook hears of the event, or undefined where it does not. */
export function matchedName({ on }: HookConfig, event: RunEvent): string | undefined {
  const names = new Set<string>([event.type, ...headlinesOf(event)]);
  return on.find((name) => names.has(name));
}
