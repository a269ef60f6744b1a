import { certificateVariables } from "../sandbox/sandbox.ts";
import { toolchainHomes } from "../sandbox/tool-homes.ts";
import { absoluteSearchPath } from "../base/search-path.ts";

/** A user's environment as it was when Stint started. */
export type UserEnvironment = Readonly<Record<string, string | undefined>>;

export interface AgentEnvironmentOptions {
  readonly userEnv: UserEnvironment;
  /** Names the agent's entry in the config lets through. */
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

/** The whole environment of an agent: a list of what is let through, because what must be kept out has no end. */
export function agentEnvironment({ userEnv, allow, home, stint }: AgentEnvironmentOptions): Record<string, string> {
  return {
    // HOME is another for the agent, so version managers are led back to what they installed.
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

/** What agents and checks both get: where programs are, which language and time zone, how the network is reached. */
export function baseEnvironment(userEnv: UserEnvironment): Record<string, string> {
  const locale = Object.keys(userEnv).filter((name) => name.startsWith("LC_"));
  return {
    ...pick(userEnv, ["LANG", "TZ", ...locale, ...proxyNames, ...certificateVariables]),
    PATH: absoluteSearchPath(userEnv["PATH"]),
  };
}

/** The named variables as far as they are set. */
export function pick(userEnv: UserEnvironment, names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = Object.hasOwn(userEnv, name) ? userEnv[name] : undefined;
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

/** How the network is reached; a value may hold a password. */
export const proxyNames = ["http_proxy", "https_proxy", "no_proxy", "all_proxy"].flatMap((name) => [
  name,
  name.toUpperCase(),
]);
