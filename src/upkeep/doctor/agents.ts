import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandWatch } from "../../checks/running-command.ts";
import type { AgentDriver, AgentFacts } from "../../agents/driver-kit/agent.ts";
import { knowsDriver, loadDriver } from "../../agents/drivers.ts";
import { agentEnvironment, pick, type UserEnvironment } from "../../process/environment.ts";
import { writeHomeFile } from "../../agents/driver-kit/home-file.ts";
import type { Config } from "../../config/load.ts";
import { resolveRole } from "../../config/roles.ts";
import type { AgentConfig } from "../../config/types.ts";
import { roles, type Role } from "../../plan/types.ts";
import { whyNoTemporaryFiles } from "../../base/folder-access.ts";
import { unreachable, type Result } from "../../base/result.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { programOf } from "../../agents/agent-program.ts";
import { ensureAgentHome } from "../../agents/agent-home.ts";
import { askBehindLoginGate, credentialOf } from "../../agents/login-gate.ts";
import type { StartFailure } from "../../process/start-failure.ts";
import { supervise, type Ended } from "../../process/supervise.ts";
import { lastWordsIn } from "../../agents/driver-kit/session.ts";
import { agentsLimits } from "../../agents/limits.ts";

/** What is known about one agent; what it was not asked stays unknown. */
export interface AgentHealth {
  readonly name: string;
  readonly driver: string;
  readonly roles: readonly { readonly role: Role; readonly model: string | null }[];
  readonly program: Result<string, StartFailure>;
  /** The versions of its program that Stint is tested with. */
  readonly tested: NonNullable<AgentFacts["tested"]> | null;
  readonly version: Answer | { readonly kind: "not-asked"; readonly why: string };
  readonly login: LoginHealth;
}

/** The answer of a program, or why there is none. */
type Answer =
  | { readonly kind: "answered"; readonly code: number; readonly output: string }
  | { readonly kind: "silent"; readonly why: string };

/** Whether a program that was asked only for its version could not even report that. */
function isFailure(version: Answer): boolean {
  return version.kind === "silent" || version.code !== 0;
}

/** Says why a program did not answer, with its own words where it has any. */
export function whySilent(answer: Answer): string {
  return answer.kind === "silent"
    ? answer.why
    : [`exit ${answer.code}`, lastWordsIn(answer.output)].filter((part) => part !== undefined).join(": ");
}

type LoginHealth =
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
  /** Is called with each question to a program. */
  readonly watch?: CommandWatch | undefined;
  /** Finds the driver of an agent; by default the one that sessions use. */
  readonly driverOf?: (name: string) => Promise<AgentDriver>;
}

/** Finds and asks all agents of the settings, or those named, in parallel. */
export async function examineAgents(
  examination: AgentExamination,
  names: readonly string[] = Object.keys(examination.config.agents),
): Promise<readonly AgentHealth[]> {
  const agents = Object.entries(examination.config.agents).filter(
    ([name, { driver }]) => names.includes(name) && knowsDriver(driver),
  );
  return await Promise.all(agents.map(([name, agent]) => examineAgent(name, agent, examination)));
}

/** Finds and asks one agent of the settings. */
export async function examineAgent(
  name: string,
  agent: AgentConfig,
  examination: AgentExamination,
): Promise<AgentHealth> {
  const { config, unapproved, driverOf = loadDriver } = examination;
  const { facts } = await driverOf(agent.driver);
  const program = programOf(agent, facts, examination);
  const known = { name, driver: agent.driver, roles: rolesOf(config, name), program, tested: facts.tested ?? null };
  if (!program.ok) return { ...known, ...notAsked("it was not found") };
  if (facts.program === null) return { ...known, ...notAsked("Stint starts your own programs only for sessions") };
  if (unapproved.has(name))
    return { ...known, ...notAsked("its command comes from the repository, so doctor does not run it") };
  return { ...known, ...(await interview({ name, agent, facts, program: program.value }, examination)) };
}

/** Lists the agents that some role uses. */
export function agentsInUse(config: Config): readonly string[] {
  return Object.keys(config.agents).filter((name) => rolesOf(config, name).length > 0);
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
  { env: userEnv, sandbox, answerMsMax, signal, watch }: AgentExamination,
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
    await ask({ name, argv: [...command, ...args], userEnv, allow, home, sandbox, answerMsMax, signal, watch });
  const version = await put(["--version"]);
  const { login } = facts;
  if (login === undefined) return { version, login: { kind: "not-asked", why: whyUnasked(facts, userEnv) } };
  // One that hangs or dies would do so again.
  if (version.kind === "silent") return { version, login: version };
  const gate = { agent: name, env: userEnv, lockFile };
  const answer = await askBehindLoginGate({ facts, home, gate }, async () => {
    await writeHomeFiles(home, facts, pick(userEnv, allow));
    return await put(login.args);
  });
  if (answer === undefined) return { version, login: { kind: "not-asked", why: "a session is renewing it right now" } };
  if (answer.kind === "silent") return { version, login: answer };
  const { loggedIn, how } = login.read(answer);
  if (loggedIn) return { version, login: { kind: "in", how } };
  // A program that fails at everything says nothing of its login.
  if (isFailure(version)) return { version, login: { kind: "silent", why: whySilent(version) } };
  const orSet = facts.credentials.length === 0 ? "" : `, or set ${facts.credentials.join(" or ")}`;
  return { version, login: { kind: "out", how, cure: `Log in with \`stint login ${name}\`${orSet}.` } };
}

/** Writes the settings with which the program looks for the login that sessions use. */
export async function writeHomeFiles(home: string, { login }: AgentFacts, env: UserEnvironment): Promise<void> {
  for (const [path, text] of Object.entries(login?.homeFiles?.(env) ?? {})) await writeHomeFile(home, path, text);
}

function whyUnasked(facts: AgentFacts, env: UserEnvironment): string {
  const credential = credentialOf(facts, env);
  return credential === undefined
    ? "its program does not report it"
    : `its program does not report it; ${credential} is set`;
}

interface Question {
  /** The agent's name in the settings. */
  readonly name: string;
  readonly argv: readonly string[];
  readonly userEnv: UserEnvironment;
  /** The user's variables that are let through. */
  readonly allow: readonly string[];
  readonly home: string;
  readonly sandbox: Sandbox;
  readonly answerMsMax: number;
  readonly signal: AbortSignal;
  readonly watch: CommandWatch | undefined;
}

/** Runs a program in an empty folder, with the environment and the confinement that it has in a session. */
async function ask(question: Question): Promise<Answer> {
  const { name, argv, userEnv, allow, home, sandbox, answerMsMax, signal, watch } = question;
  const noTemporaryFiles = whyNoTemporaryFiles();
  if (noTemporaryFiles !== undefined) return { kind: "silent", why: noTemporaryFiles };
  const folder = mkdtempSync(join(tmpdir(), "stint-doctor-"));
  const logFile = join(folder, "output.log");
  const answered = watch?.({ name: `asking ${[name, ...argv.slice(1)].join(" ")}`, logFile });
  try {
    const [workspace, outbox, inbox] = ["tree", "outbox", "inbox"].map((name) => join(folder, name)) as Three;
    for (const dir of [workspace, outbox, inbox]) mkdirSync(dir, { mode: 0o700 });
    const enclosure = sandbox.enclose({ workspace, home, outbox, inbox, visible: argv.slice(0, 1), network: true });
    const stint = { role: "doctor", run: "doctor", attempt: 1, ...enclosure.folders };
    const env = agentEnvironment({ userEnv, allow, home: enclosure.folders.home, stint });
    const ended = await supervise({
      ...enclosure.enter({ argv, cwd: enclosure.folders.workspace, env }),
      logFile,
      outputBytesMax: agentsLimits.outboxFileBytesMax,
      wallMsMax: answerMsMax,
      signal,
      marker: `STINT_OUTBOX=${enclosure.folders.outbox}`,
      cwdWithin: workspace,
      confined: enclosure.confined,
    });
    return toAnswer(ended, answerMsMax);
  } finally {
    answered?.();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Three = [string, string, string];

function toAnswer(ended: Ended, answerMsMax: number): Answer {
  switch (ended.kind) {
    case "exited":
      return { kind: "answered", code: ended.code, output: ended.tail };
    case "signalled":
      return { kind: "silent", why: `killed by ${ended.signal}` };
    case "timeout":
      return { kind: "silent", why: `no answer within ${answerMsMax / 1000} s` };
    case "aborted":
      return { kind: "silent", why: "interrupted" };
    case "spawn-failed":
      return { kind: "silent", why: ended.message };
    case "exceeded":
      return { kind: "silent", why: `it used ${ended.what}` };
    case "idle":
    case "final":
      throw new Error(`Internal error: expected an end of its own or by time, but was ${ended.kind}`);
    default:
      return unreachable(ended);
  }
}
