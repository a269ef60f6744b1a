import { baseEnvironment, pick, type UserEnvironment } from "../process/environment.ts";
import { toolHomes } from "../sandbox/tool-homes.ts";

export interface CheckEnvironmentOptions {
  readonly userEnv: UserEnvironment;
  /** An empty folder, so that no dotfile of the user or of an agent decides a check. */
  readonly home: string;
  /** A private folder for temporary files. */
  readonly tmp: string;
  /** Names from `workspace.env` of the config. */
  readonly extra: readonly string[];
  /** Whether no network can be reached; then tools that want one are to give up at once. */
  readonly isOffline?: boolean;
}

/** Makes the whole environment of a check: nothing of Stint's, and nothing that lets an agent's files change a tool. */
export function checkEnvironment(options: CheckEnvironmentOptions): Record<string, string> {
  const { userEnv, home, tmp, extra, isOffline = false } = options;
  const named = extra.filter((name) => !name.startsWith("STINT_"));
  return {
    ...toolHomes(userEnv),
    ...(isOffline ? withoutRetries : {}),
    ...pick(userEnv, ["JAVA_HOME", ...named]),
    ...baseEnvironment(userEnv),
    HOME: home,
    TMPDIR: tmp,
    // npm would otherwise ask its registry for a newer self in the middle of a check.
    npm_config_update_notifier: "false",
  };
}

/** Without a network, `npx` of a missing program would be tried for 71 s before it fails; the others are alike. */
const withoutRetries = {
  npm_config_fetch_retries: "0",
  YARN_HTTP_RETRY: "0",
  PIP_RETRIES: "0",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  UV_HTTP_RETRIES: "0",
  CARGO_NET_RETRY: "0",
  GOPROXY: "off",
};
