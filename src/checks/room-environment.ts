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
}

/** Makes the whole environment of a check: nothing of Stint's, and nothing that lets an agent's files change a tool. */
export function checkEnvironment({ userEnv, home, tmp, extra }: CheckEnvironmentOptions): Record<string, string> {
  const named = extra.filter((name) => !name.startsWith("STINT_"));
  return {
    ...toolHomes(userEnv),
    ...pick(userEnv, ["JAVA_HOME", ...named]),
    ...baseEnvironment(userEnv),
    HOME: home,
    TMPDIR: tmp,
    // npm would otherwise ask its registry for a newer self in the middle of a check.
    npm_config_update_notifier: "false",
  };
}
