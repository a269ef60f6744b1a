import { existsSync } from "node:fs";
import { join } from "node:path";
import type { OwnLogin } from "../../agents/driver-kit/agent.ts";
import { writeHomeFile } from "../../agents/driver-kit/home-file.ts";
import { programCure, programOf } from "../../agents/agent-program.ts";
import { ensureAgentHome } from "../../agents/agent-home.ts";
import { loadDriver } from "../../agents/drivers.ts";
import { credentialOf } from "../../agents/login-gate.ts";
import { fail, ok, type Failure, type Result } from "../../base/result.ts";
import { unknownNameMessage } from "../../plan/nearest.ts";
import { baseEnvironment, pick } from "../../process/environment.ts";
import { readUserFile } from "../../project/settings.ts";
import { userHome } from "../../project/paths.ts";
import { toolchainHomes } from "../../sandbox/tool-homes.ts";
import { writeHomeFiles, type AgentExamination } from "./agents.ts";

/** How an agent is logged in where its sessions look. */
export interface LoginWay extends OwnLogin {
  readonly agent: string;
  /** The home that Stint keeps for the agent. */
  readonly home: string;
  /** The agent's program and the arguments that make it log a person in. */
  readonly argv: readonly string[];
  /** The whole environment: a variable such as XDG_CONFIG_HOME could make it write over the user's own login. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that it logs in with instead of a login. */
  readonly credentials: readonly string[];
  /** The one of these that is set: then no login is used. */
  readonly credential: string | undefined;
  /** Whether the repository names the program, which then nobody has approved. */
  readonly isUnapproved: boolean;
  /** The user's own login; undefined where there is none. */
  readonly existing: string | undefined;
}

/** Finds out how an agent of the settings is logged in, or why it cannot be; starts nothing. */
export async function findLoginWay(
  examination: AgentExamination,
  name: string,
): Promise<Result<LoginWay, Failure<"usage" | "program" | "home">>> {
  const { config, env, unapproved, driverOf = loadDriver } = examination;
  const agent = Object.hasOwn(config.agents, name) ? config.agents[name] : undefined;
  if (agent === undefined) return fail("usage", unknownNameMessage("agent", name, Object.keys(config.agents)));
  const { facts } = await driverOf(agent.driver);
  const own = facts.ownLogin?.(agent.command[0] ?? facts.program ?? "");
  if (own === undefined) return fail("usage", whyNoLogin(name, agent.driver));
  const program = programOf(agent, facts, examination);
  if (!program.ok) {
    const cure = programCure(program.failure);
    return fail("program", `${program.failure.message} ${cure === undefined ? "T" : `${cure}, t`}hen try again.`);
  }
  const place = ensureAgentHome(env, name);
  if (!place.ok) return fail("home", place.failure.message);
  const { home } = place.value;
  const passed = pick(env, [...facts.settings, ...agent.env]);
  await writeHomeFiles(home, facts, passed);
  // What follows the program of one's own starts a session.
  const always = facts.program === null ? [] : agent.command.slice(1);
  const file = join(userHome(env), own.file);
  return ok({
    ...own,
    agent: name,
    home,
    argv: [program.value, ...always, ...own.args],
    env: { ...toolchainHomes(env), ...passed, ...pick(env, ["TERM"]), ...baseEnvironment(env), HOME: home },
    credentials: facts.credentials,
    credential: credentialOf(facts, env),
    isUnapproved: unapproved.has(name),
    existing: existsSync(file) ? file : undefined,
  });
}

function whyNoLogin(name: string, driver: string): string {
  const why = driver === "acp" ? "Stint does not know how its program logs in" : "it is a program of your own";
  return `${name} has no login that Stint could start: ${why}. If it needs a key, let the variable through: agents: { ${name}: { env: [NAME] } } in .stint/config.yaml.`;
}

/** Copies the user's own login, and nothing else, to the home that Stint keeps for the agent; returns where it is now. */
export async function copyLogin({ home, file, existing }: LoginWay): Promise<Result<string>> {
  const read = existing === undefined ? undefined : readUserFile(existing);
  if (read === undefined) return fail("usage", `there is no login to copy at ${existing ?? `~/${file}`}.`);
  if (!("bytes" in read)) return fail("usage", `${existing} ${read.unreadable}.`);
  await writeHomeFile(home, file, read.bytes);
  return ok(join(home, file));
}
