import type { Role } from "../plan/types.ts";

/** The names that `driver` may have in the settings; each has a driver in `agents/drivers.ts`. */
export const drivers = ["claude", "codex", "gemini", "acp", "command", "scripted"] as const;

export type Driver = (typeof drivers)[number];

/** A program that can run a session. */
export interface AgentConfig {
  readonly driver: Driver;
  /** The program (of `scripted`, the file of its moves) and its arguments, relative to the repo root; empty where the driver knows its own program. */
  readonly command: readonly string[];
  /** Names of the environment variables that are let through to it. */
  readonly env: readonly string[];
  /** Whether settings that the repository ships for it (hooks, servers, permissions) are honoured. */
  readonly repoSettings: boolean;
}

/** The agent of a role, and how it is used. */
export interface RoleConfig {
  readonly agent: string;
  readonly model?: string;
  readonly effort?: string;
}

export interface RunConfig {
  readonly parallel: number;
  /** It counts all attempts of a task; those after `escalateAfter` use the escalation role. */
  readonly attempts: number;
  readonly escalateAfter: number;
  readonly sandbox: "auto" | "bwrap" | "none";
  readonly taskTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly reverify: "affected" | "all";
  readonly replan: "never" | "ask" | "auto";
  readonly replanMax: number;
  readonly scopeRequests: "grant" | "ask" | "refuse";
}

/** A missing bound means none. */
export interface BudgetConfig {
  readonly usd?: number;
  readonly tokens?: number;
  readonly taskUsd?: number;
}

/** Dollars per million tokens, for agents that do not report their cost. */
export interface PriceConfig {
  readonly input: number;
  readonly output: number;
}

/** A file or folder of the user's machine that is mounted at the same path for agents and checks. */
export interface MountConfig {
  /** It is absolute, or below the user's home as `~/…`. */
  readonly path: string;
  readonly writable: boolean;
}

export interface WorkspaceConfig {
  /** A command line run once in each fresh workspace. */
  readonly setup?: string;
  /** Globs of files whose content decides the result of set-up; without any, the result is never reused. */
  readonly setupInputs: readonly string[];
  readonly env: readonly string[];
  readonly mounts: readonly MountConfig[];
}

/** An MCP server for agents that support it; values may name variables of the user as `$NAME`. */
export type McpConfig =
  | { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

export interface ReviewConfig {
  /** 0 means no review. */
  readonly rounds: number;
  readonly eachTask: boolean;
}

/** A hook has exactly one of an address and a program. */
export interface HookConfig {
  /** Event types and headlines that it wants. */
  readonly on: readonly string[];
  readonly webhook?: string;
  /** The program and its arguments, relative to the repo root. */
  readonly command?: readonly string[];
}

/** Everything that can be set, with every default filled in. */
export interface Config {
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly roles: Readonly<Partial<Record<Role, RoleConfig>>>;
  readonly run: RunConfig;
  readonly budget: BudgetConfig;
  readonly prices: Readonly<Record<string, PriceConfig>>;
  readonly workspace: WorkspaceConfig;
  readonly mcp: Readonly<Record<string, McpConfig>>;
  readonly review: ReviewConfig;
  readonly hooks: readonly HookConfig[];
}

/** What one file sets: any part of each section, and whole entries of the maps. */
export type ConfigLayer = {
  readonly [Key in keyof Config]?: string extends keyof Config[Key]
    ? Config[Key]
    : Config[Key] extends readonly unknown[]
      ? Config[Key]
      : Partial<Config[Key]>;
};
