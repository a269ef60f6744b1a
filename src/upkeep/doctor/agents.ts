import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import type { AgentFacts } from "../../agents/driver-kit/agent.ts";
import { knowsDriver, loadDriver } from "../../agents/drivers.ts";
import { baseEnvironment, pick, type UserEnvironment } from "../../process/environment.ts";
import { findProgram } from "../../process/find-program.ts";
import { writeHomeFile } from "../../agents/driver-kit/home-file.ts";
import type { Config } from "../../config/load.ts";
import { resolveRole } from "../../config/roles.ts";
import type { AgentConfig } from "../../config/types.ts";
import { roles, type Role } from "../../plan/types.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { ensureAgentHome } from "../../agents/agent-home.ts";
import { askBehindLoginGate, credentialOf } from "../../agents/login-gate.ts";
import { locateProgram } from "../../process/find-program.ts";
import { ask, type Answer } from "./ask.ts";
import { loginCommand } from "./login-command.ts";

/** What is known about one agent; what it was not asked stays unknown. */
export interface AgentHealth {
  readonly name: string;
  readonly driver: string;
  readonly roles: readonly { readonly role: Role; readonly model: string | null }[];
  readonly program: Result<string>;
  /** The version of its program that Stint is tested with. */
  readonly tested: string | null;
  readonly version: Answer | { readonly kind: "not-asked"; readonly why: string };
  readonly login: LoginHealth;
}

export type LoginHealth =
  | { readonly kind: "in"; readonly how: string }
  | { readonly kind: "out"; readonly how: string; readonly cure: string }
  | { readonly kind: "silent"; readonly why: string }
  | { readonly kind: "not-asked"; readonly why: string };

export interface AgentExamination {
  readonly config: Config;
  /** Agents whose command comes from the repository; it is not run before it is approved. */
  readonly unapproved: ReadonlySet<string>;
  /** Where relative commands start; null outside a repository. */
  readonly root: string | null;
  readonly env: UserEnvironment;
  readonly sandbox: Sandbox;
  readonly answerMsMax: number;
  readonly signal: AbortSignal;
}

/** Finds and asks all agents of the settings, in parallel. */
export async function examineAgents(examination: AgentExamination): Promise<readonly AgentHealth[]> {
  const agents = Object.entries(examination.config.agents).filter(([, { driver }]) => knowsDriver(driver));
  return await Promise.all(agents.map(([name, agent]) => examineAgent(name, agent, examination)));
}

async function examineAgent(name: string, agent: AgentConfig, examination: AgentExamination): Promise<AgentHealth> {
  const { config, unapproved } = examination;
  const { facts } = await loadDriver(agent.driver);
  const program = programOf(agent, facts, examination);
  const known = { name, driver: agent.driver, roles: rolesOf(config, name), program, tested: facts.tested ?? null };
  if (!program.ok) return { ...known, ...notAsked("it was not found") };
  if (facts.program === null) return { ...known, ...notAsked("Stint starts your own programs only for sessions") };
  if (unapproved.has(name))
    return { ...known, ...notAsked("its command comes from the repository, so doctor does not run it") };
  return { ...known, ...(await interview({ name, agent, facts, program: program.value }, examination)) };
}

function programOf({ command }: AgentConfig, facts: AgentFacts, { root, env }: AgentExamination): Result<string> {
  const [word = facts.program ?? ""] = command;
  const argv = [root === null ? word : locateProgram(word, root)];
  if (root === null && word.includes("/") && !word.startsWith("/"))
    return fail("program", `${word} is relative to a repository, but this is not one.`);
  if (facts.commandIsFile === true) return movesAt(argv[0] ?? "");
  return findProgram({ argv, cwd: tmpdir(), env: baseEnvironment(env) });
}

/** A scripted agent is a file that is read, so it need not be executable. */
function movesAt(file: string): Result<string> {
  return existsSync(file) ? ok(file) : fail("program", `${file}, the moves of a scripted agent, does not exist.`);
}

function rolesOf(config: Config, name: string): AgentHealth["roles"] {
  return roles.flatMap((role) => {
    const found = resolveRole(config, role);
    return found?.agentName === name ? [{ role, model: found.model ?? null }] : [];
  });
}

function notAsked(why: string): Pick<AgentHealth, "version" | "login"> {
  const answer = { kind: "not-asked", why } as const;
  return { version: answer, login: answer };
}

interface Interviewee {
  readonly name: string;
  readonly agent: AgentConfig;
  readonly facts: AgentFacts;
  readonly program: string;
}

async function interview(
  { name, agent, facts, program }: Interviewee,
  { env: userEnv, sandbox, answerMsMax, signal }: AgentExamination,
): Promise<Pick<AgentHealth, "version" | "login">> {
  const place = ensureAgentHome(userEnv, name);
  if (!place.ok) {
    const silent = { kind: "silent", why: place.failure.message } as const;
    return { version: silent, login: silent };
  }
  const { home, loginLock: lockFile } = place.value;
  const allow = [...facts.credentials, ...facts.settings, ...agent.env];
  const command = [program, ...agent.command.slice(1)];
  const put = async (args: readonly string[]) =>
    await ask({ argv: [...command, ...args], userEnv, allow, home, sandbox, answerMsMax, signal });
  const version = await put(["--version"]);
  const { login } = facts;
  if (login === undefined) return { version, login: { kind: "not-asked", why: whyUnasked(facts, userEnv) } };
  const gate = { agent: name, env: userEnv, lockFile };
  const answer = await askBehindLoginGate({ facts, home, gate }, async () => {
    for (const [path, text] of Object.entries(login.homeFiles?.(pick(userEnv, allow)) ?? {}))
      await writeHomeFile(home, path, text);
    return await put(login.args);
  });
  if (answer === undefined) return { version, login: { kind: "not-asked", why: "a session is renewing it right now" } };
  if (answer.kind === "silent") return { version, login: answer };
  const { loggedIn, how } = login.read(answer);
  if (loggedIn) return { version, login: { kind: "in", how } };
  const cure = loginCommand({ login: login.cure, command, home, env: userEnv });
  const orSet = facts.credentials.length === 0 ? "" : `, or set ${facts.credentials.join(" or ")}`;
  return { version, login: { kind: "out", how, cure: `Log in with \`${cure}\`${orSet}.` } };
}

function whyUnasked(facts: AgentFacts, env: UserEnvironment): string {
  const credential = credentialOf(facts, env);
  return credential === undefined
    ? "its program does not report it"
    : `its program does not report it; ${credential} is set`;
}
