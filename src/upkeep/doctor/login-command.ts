import { baseEnvironment, type UserEnvironment } from "../../process/environment.ts";
import { shellWord } from "../../base/command-line.ts";

export interface LoginWish {
  /** The agent's own command for logging in, from its documentation. */
  readonly login: string;
  /** The full path of the agent's program, and the arguments it always gets. */
  readonly command: readonly string[];
  readonly home: string;
  readonly env: UserEnvironment;
}

/**
 * A line for the user's shell that logs an agent in where its sessions will look: with their environment and no other, because
 * a variable such as XDG_CONFIG_HOME could make it write over the user's own login.
 */
export function loginCommand({ login, command, home, env }: LoginWish): string {
  const kept = ["TERM", ...Object.keys(baseEnvironment(env))].filter((name) => (env[name] ?? "") !== "");
  const variables = kept.filter((name) => /^[A-Za-z_]\w*$/.test(name)).map((name) => `${name}="$${name}"`);
  const program = command.map(shellWord);
  return ["env -i", `HOME=${shellWord(home)}`, ...variables, ...program, ...login.split(" ").slice(1)].join(" ");
}
