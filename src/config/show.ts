import { writeDuration } from "../base/duration.ts";
import type { Role } from "../plan/types.ts";
import type { LoadedConfig } from "./load.ts";
import { decidingRole, resolveRole } from "./roles.ts";
import type { AgentConfig, Config, HookConfig, McpConfig } from "./types.ts";

/** One setting as a person would write it; `key` is as in `LoadedConfig.origins`. */
export interface ShownSetting {
  readonly key: string;
  readonly value: unknown;
}

/** Lists every setting in effect, without roles. What may be a secret (values of variables and headers, paths of URLs) is left out. */
export function showSettings(config: Config): ShownSetting[] {
  const { run, budget, workspace, review } = config;
  return [
    ...entries("agents", map(config.agents, showAgent)),
    ...entries("run", {
      parallel: run.parallel,
      attempts: run.attempts,
      escalate_after: run.escalateAfter,
      sandbox: run.sandbox,
      task_timeout: writeDuration(run.taskTimeoutMs),
      idle_timeout: writeDuration(run.idleTimeoutMs),
      reverify: run.reverify,
      replan: run.replan,
      replan_max: run.replanMax,
      scope_requests: run.scopeRequests,
    }),
    ...entries("budget", { usd: budget.usd, tokens: budget.tokens, task_usd: budget.taskUsd }),
    ...entries("prices", config.prices),
    ...entries("workspace", {
      setup: workspace.setup,
      setup_inputs: workspace.setupInputs,
      env: workspace.env,
      mounts: workspace.mounts,
    }),
    ...entries("mcp", map(config.mcp, showServer)),
    ...entries("review", { rounds: review.rounds, each_task: review.eachTask }),
    { key: "hooks", value: config.hooks.map(showHook) },
  ];
}

/** Says where a key was set: `file:line`, or that it is built in. */
export function originOf(origins: LoadedConfig["origins"], key: string): string {
  const origin = origins.get(key);
  return origin === undefined ? builtIn : `${origin.file}:${origin.line}`;
}

/** The origin of a value that is not set anywhere. */
export const builtIn = "built in";

/** Says why this agent does a role: a file sets it, another role does, or it was found on PATH. */
export function originOfRole({ config, origins }: Pick<LoadedConfig, "config" | "origins">, role: Role): string {
  const deciding = decidingRole(config.roles, role);
  if (deciding === undefined || resolveRole(config, role) === undefined) return "no agent found on PATH";
  if (deciding !== role) return `as roles.${deciding}`;
  const key = `roles.${role}`;
  return origins.has(key) ? originOf(origins, key) : "found on PATH";
}

function entries(section: string, values: Readonly<Record<string, unknown>>): ShownSetting[] {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  return set.map(([key, value]) => ({ key: `${section}.${key}`, value }));
}

function map<T>(values: Readonly<Record<string, T>>, show: (value: T) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, show(value)]));
}

function showAgent({ driver, command, env, repoSettings }: AgentConfig): unknown {
  return {
    driver,
    ...(command.length > 0 && { command }),
    ...(env.length > 0 && { env }),
    ...(repoSettings && { repo_settings: true }),
  };
}

function showServer(server: McpConfig): unknown {
  if ("url" in server) return { url: shownAddress(server.url), headers: Object.keys(server.headers) };
  return { command: server.command, env: Object.keys(server.env) };
}

function showHook({ on, webhook, command }: HookConfig): unknown {
  return { on, ...(webhook !== undefined && { webhook: shownAddress(webhook) }), ...(command && { command }) };
}

/** Cuts an address to what may be shown: that of a webhook is often its password. */
export function shownAddress(url: string): string {
  if (!URL.canParse(url)) return "…";
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname === "/" && search === "" ? "" : "/…"}`;
}
