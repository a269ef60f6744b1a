import { certificateVariables } from "../sandbox/sandbox.ts";
import { toolchainHomes } from "../sandbox/tool-homes.ts";
import { absoluteSearchPath } from "../base/search-path.ts";

/** A user's environment as it was when Stint started. */
export type UserEnvironment = Readonly<Record<string, string | undefined>>;

export interface AgentEnvironmentOptions {
  readonly userEnv: UserEnvironment;
  /** Names of variables that the agent's entry in the config passes on. */
  readonly allow: readonly string[];
  readonly home: string;
  readonly stint: {
    readonly role: string;
    readonly run: string;
    /** Absent for sessions that belong to no task. */
    readonly task?: string | undefined;
    readonly attempt: number;
    readonly outbox: string;
    readonly inbox: string;
  };
}

/** Builds the whole environment of an agent from a list of what it gets, because a list of what to keep out would never be complete. */
export function agentEnvironment({ userEnv, allow, home, stint }: AgentEnvironmentOptions): Record<string, string> {
  return {
    // The agent has a different HOME, so version managers are pointed to what they installed.
    ...toolchainHomes(userEnv),
    ...pick(userEnv, ["TERM", ...allow]),
    ...baseEnvironment(userEnv),
    HOME: home,
    STINT_ROLE: stint.role,
    STINT_RUN: stint.run,
    ...(stint.task === undefined ? {} : { STINT_TASK: stint.task }),
    STINT_ATTEMPT: String(stint.attempt),
    STINT_OUTBOX: stint.outbox,
    STINT_INBOX: stint.inbox,
  };
}

/** Returns what agents and checks both get: where programs are, language and time zone, and how the network is reached. */
export function baseEnvironment(userEnv: UserEnvironment): Record<string, string> {
  const locale = Object.keys(userEnv).filter((name) => name.startsWith("LC_"));
  return {
    ...pick(userEnv, ["LANG", "TZ", ...locale, ...proxyNames, ...certificateVariables]),
    PATH: absoluteSearchPath(userEnv["PATH"]),
  };
}

/** Returns the named variables that are set. */
export function pick(userEnv: UserEnvironment, names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = Object.hasOwn(userEnv, name) ? userEnv[name] : undefined;
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

/** Variables that say how the network is reached; a value may contain a password. */
export const proxyNames = ["http_proxy", "https_proxy", "no_proxy", "all_proxy"].flatMap((name) => [
  name,
  name.toUpperCase(),
]);
