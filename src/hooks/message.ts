import { hooksLimits } from "./limits.ts";
import type { RunEntry } from "./run-entry.ts";
import type { HookConfig } from "../config/types.ts";
import type { RunEvent } from "../engine/events.ts";
import { headlinesOf } from "../engine/headlines.ts";

/** What one hook gets about one event. */
export interface Message {
  readonly seq: number;
  /** The same however often it is sent. */
  readonly id: string;
  /** The name under which the hook asked for it. */
  readonly name: string;
  readonly body: string;
}

/** Returns the first name under which the hook asked for the event, or undefined if it did not. */
export function matchedName({ on }: HookConfig, event: RunEvent): string | undefined {
  const names = new Set<string>([event.type, ...headlinesOf(event)]);
  return on.find((name) => names.has(name));
}

/** Writes an event down for a hook; of one that is very long, the long fields are left out and named under `cut`. */
export function messageOf(
  entry: RunEntry,
  about: { readonly run: string; readonly plan: string; readonly name: string },
): Message {
  const { run, plan, name } = about;
  const whole = JSON.stringify({ run, plan, hook: name, event: entry });
  const body =
    whole.length <= hooksLimits.hookBodyCharsMax ? whole : JSON.stringify({ run, plan, hook: name, ...shortOf(entry) });
  return { seq: entry.seq, id: `${run}/${entry.seq}`, name, body };
}

function shortOf(entry: RunEntry): { readonly event: object; readonly cut: readonly string[] } {
  const fields = Object.entries(entry);
  const isLong = ([, value]: [string, unknown]) => JSON.stringify(value).length > hooksLimits.hookFieldCharsMax;
  return {
    event: Object.fromEntries(fields.filter((field) => !isLong(field))),
    cut: fields.filter(isLong).map(([key]) => key),
  };
}
