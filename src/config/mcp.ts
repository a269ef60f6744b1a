import * as z from "zod";
import { envName, oneLineText } from "../plan/fields.ts";
import { strict } from "../plan/validate.ts";
import type { McpConfig } from "./types.ts";

/** A value refers to a variable as `$NAME` or `${NAME}`; `$$` means the character itself. */
const reference = /\$(?:\$|([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})/g;

/** A name has no dots, because agents address servers by paths such as `mcp_servers.name`. */
const serverName = z.string().refine((value) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(value), {
  error: 'must be a name of 1 to 64 letters, digits, "_" and "-"',
});

const commandRule = 'must be a program, or a list such as ["npx", "-y", "some-server"]';

/** One word is a program; a whole command line in one string is a common mistake, and no shell reads it. */
const command = z
  .preprocess(
    (value) => (typeof value === "string" && !/\s/.test(value) ? [value] : value),
    z.array(z.string(), { error: commandRule }),
  )
  .refine((words) => (words[0] ?? "").trim() !== "", { error: commandRule });

/** A value may name variables of the user, because a committed file must not contain a secret. */
const value = z
  .string()
  .refine((written) => !/[\r\n\0]/.test(written), { error: "must be a single line" })
  .refine((written) => !written.replace(reference, "").includes("$"), {
    error: "has a $ that does not start a variable name; write $$ for a literal $",
  });

const headerName = z.string().refine((name) => /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name), {
  error: "must be the name of an HTTP header",
});

const url = oneLineText.refine(isPlainUrl, {
  error: "must be an http or https URL without user name and password; put secrets into headers",
});

const server = strict({
  command: command.optional(),
  args: z.array(z.string()).optional(),
  env: z.record(envName, value).optional(),
  url: url.optional(),
  headers: z.record(headerName, value).optional(),
}).transform((fields, context): McpConfig => {
  const { command, args = [], env = {}, url, headers = {} } = fields;
  const refuse = (message: string) => context.addIssue({ code: "custom", message });
  // A mistyped key is already reported; that the right one is missing adds nothing.
  const isMistyped = context.issues.length > 0;
  if (!isMistyped && (command === undefined) === (url === undefined))
    refuse("must have exactly one of command and url");
  if (url !== undefined && (fields.args ?? fields.env) !== undefined)
    refuse("has a url, so it cannot have args or env");
  if (command !== undefined && fields.headers !== undefined) refuse("has a command, so it cannot have headers");
  return url === undefined ? { command: [...(command ?? []), ...args], env } : { url, headers };
});

/** MCP servers by name: a program with arguments, or an address. */
export const mcpServers = z.record(serverName, server);

/** Finds the variables of the user that a written value names. */
export function referencesIn(written: string): string[] {
  return [...written.matchAll(reference)].flatMap(([, bare, braced]) => bare ?? braced ?? []);
}

/** Replaces the names of variables in a written value by their values; `$$` stands for `$`. */
export function withReferences(written: string, lookUp: (name: string) => string): string {
  return written.replace(reference, (whole, bare?: string, braced?: string) => {
    const name = bare ?? braced;
    return name === undefined ? whole.slice(1) : lookUp(name);
  });
}

function isPlainUrl(written: string): boolean {
  const parsed = URL.canParse(written) ? new URL(written) : undefined;
  if (parsed === undefined || !["http:", "https:"].includes(parsed.protocol)) return false;
  return parsed.username === "" && parsed.password === "";
}
