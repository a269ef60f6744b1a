import { posix } from "node:path";
import * as z from "zod";
import { eventTypes, headlines } from "../engine/headlines.ts";
import { command, duration, envName, oneLineText, program, text, wholeNumber } from "../plan/fields.ts";
import { unknownNameMessage } from "../plan/nearest.ts";
import { roles } from "../plan/types.ts";
import { strict } from "../plan/validate.ts";
import { builtInAgents } from "./defaults.ts";
import { mcpServers } from "./mcp.ts";
import {
  drivers,
  type AgentConfig,
  type BudgetConfig,
  type ConfigLayer,
  type HookConfig,
  type MountConfig,
  type RunConfig,
  type WorkspaceConfig,
} from "./types.ts";

const amount = z.number().min(0);

const name = z.string().refine((value) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value), {
  error: 'must be a name of 1 to 64 letters, digits, ".", "_" and "-"',
});

const agentFields = strict({
  driver: z.enum(drivers).optional(),
  command: program.optional(),
  env: z.array(envName).optional(),
  repo_settings: z.boolean().optional(),
});

/** An entry for a built-in agent may leave out its driver; any other must name the one that can talk to it. */
const agents = z.record(name, agentFields).transform((entries, context) => {
  const complete = Object.entries(entries).map(([agent, fields]): [string, AgentConfig] => {
    const builtIn = Object.entries(builtInAgents).find(([known]) => known === agent)?.[1];
    const driver = fields.driver ?? builtIn?.driver;
    const refuse = (key: string) => context.addIssue({ code: "custom", message: "is missing", path: [agent, key] });
    if (driver === undefined) refuse("driver");
    if (driver !== undefined && needsCommand.has(driver) && fields.command === undefined) refuse("command");
    const { command: words = [], env = [], repo_settings: repoSettings = false } = fields;
    const command = driver === "scripted" ? fromRoot(words) : words;
    return [agent, { driver: driver ?? "command", command, env, repoSettings }];
  });
  return Object.fromEntries(complete);
});

const needsCommand: ReadonlySet<string> = new Set(["command", "acp", "scripted"]);

/** A bare name means a program on PATH, except for a scripted agent, whose moves are a file of the repository. */
function fromRoot([file = "", ...rest]: readonly string[]): string[] {
  return [file.includes("/") ? file : `./${file}`, ...rest];
}

const roleFields = strict({ agent: oneLineText, model: oneLineText.optional(), effort: oneLineText.optional() });
const roleMap = strict(Object.fromEntries(roles.map((role) => [role, empty(roleFields)]))).transform(withoutUndefined);

const run = strict({
  parallel: empty(wholeNumber(1, 64)),
  attempts: empty(wholeNumber(1, 100)),
  escalate_after: empty(wholeNumber(0, 100)),
  sandbox: empty(z.enum(["auto", "bwrap", "none"])),
  task_timeout: empty(duration),
  idle_timeout: empty(duration),
  reverify: empty(z.enum(["affected", "all"])),
  replan: empty(z.enum(["never", "ask", "auto"])),
  replan_max: empty(wholeNumber(0, 100)),
  scope_requests: empty(z.enum(["grant", "ask", "refuse"])),
}).transform(({ parallel, attempts, sandbox, reverify, replan, ...rest }) =>
  defined<RunConfig>({
    parallel,
    attempts,
    sandbox,
    reverify,
    replan,
    escalateAfter: rest.escalate_after,
    taskTimeoutMs: rest.task_timeout,
    idleTimeoutMs: rest.idle_timeout,
    replanMax: rest.replan_max,
    scopeRequests: rest.scope_requests,
  }),
);

const budget = strict({ usd: empty(amount), tokens: empty(wholeNumber(0)), task_usd: empty(amount) }).transform(
  ({ usd, tokens, task_usd: taskUsd }) => defined<BudgetConfig>({ usd, tokens, taskUsd }),
);

/** A mount such as `/data` is read-only, one such as `~/.m2:rw` is writable. */
const mount = z.string().transform((value, context): MountConfig => {
  const [, path = "", mode] = /^(.*?)(?::(ro|rw))?$/s.exec(value) ?? [];
  const normal = posix.normalize(path).replace(/\/$/, "");
  const isNamed = /^(?:~\/|\/)[^/]/.test(normal) && !path.includes("\0") && !sandboxOwn.test(normal);
  if (!isNamed) context.addIssue({ code: "custom", message: mountRule });
  return { path: normal, writable: mode === "rw" };
});

const mountRule =
  'must be a path that starts with "/" or "~/" and is not below /proc, /dev or /stint; append ":rw" to make it writable';

/** The sandbox creates these itself. */
const sandboxOwn = /^\/(?:proc|dev|stint)(?:\/|$)/;

const workspace = strict({
  setup: empty(command),
  setup_inputs: empty(z.array(text)),
  env: empty(z.array(envName)),
  mounts: empty(z.array(mount)),
}).transform(({ setup, setup_inputs: setupInputs, env, mounts }) =>
  defined<WorkspaceConfig>({ setup, setupInputs, env, mounts }),
);

const review = strict({ rounds: empty(wholeNumber(0, 100)), each_task: empty(z.boolean()) }).transform(
  ({ rounds, each_task: eachTask }) => defined({ rounds, eachTask }),
);

const hookable: readonly string[] = [...headlines, ...eventTypes];

const heard = z.string().refine((name) => hookable.includes(name), {
  error: ({ input }) => `is an ${unknownNameMessage("event", String(input), hookable)}`,
  params: { code: "unknown-event" },
});

/** Messages never quote it: the address of a webhook is often its password. */
const webhook = text.transform((value, context) => {
  const why = whyNoAddress(value);
  if (why !== undefined) context.addIssue({ code: "custom", message: why });
  return value;
});

/** A hook: the events it wants, and the address or program that gets them. */
const hook = strict({
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

/** One config.yaml: every key may be left out, none may be unknown. */
export const configSchema = strict({
  agents: empty(agents),
  roles: empty(roleMap),
  run: empty(run),
  budget: empty(budget),
  prices: empty(z.record(text, strict({ input: amount, output: amount }))),
  workspace: empty(workspace),
  mcp: empty(mcpServers),
  review: empty(review),
  hooks: empty(z.array(hook)),
}).transform((layer) => withoutUndefined(layer) as ConfigLayer);

/** A key with nothing after it is not set. */
function empty<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** Leaves out what is not set, so that it does not hide what a weaker file sets. */
function defined<T extends object>(value: { readonly [Key in keyof T]?: T[Key] | undefined }): Partial<T> {
  return withoutUndefined(value);
}

function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined));
}
