import * as z from "zod";
import { eventTypes, headlines } from "../engine/headlines.ts";
import { program, text } from "../plan/fields.ts";
import { unknownNameMessage } from "../plan/nearest.ts";
import { strict } from "../plan/validate.ts";
import type { HookConfig } from "./types.ts";

const known: readonly string[] = [...headlines, ...eventTypes];

const heard = z.string().refine((name) => known.includes(name), {
  error: ({ input }) => `is an ${unknownNameMessage("event", String(input), known)}`,
  params: { code: "unknown-event" },
});

/** Messages never quote it: the address of a webhook is often its password. */
const webhook = text.transform((value, context) => {
  const why = whyNoAddress(value);
  if (why !== undefined) context.addIssue({ code: "custom", message: why });
  return value;
});

/** A hook: the events it wants, and the address or program that gets them. */
export const hook = strict({
  on: z.array(heard).refine((names) => names.length > 0, { error: "must name at least one event" }),
  webhook: webhook.optional(),
  command: program.optional(),
})
  .refine((value) => (value.webhook === undefined) !== (value.command === undefined), {
    error: "must have exactly one of webhook and command",
  })
  .transform(({ on, webhook, command }): HookConfig => {
    return { on, ...(webhook !== undefined && { webhook }), ...(command !== undefined && { command }) };
  });

function whyNoAddress(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol))
    return "must be an address that starts with http:// or https://";
  if (url.username === "" && url.password === "") return undefined;
  return "must not contain a user name or password: use a command instead, which can read them from your environment";
}
