import { mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import type { AgentEvent, AgentFacts, SessionInput, SessionRequest } from "./driver-kit/agent.ts";
import { programCure, programOf } from "./agent-program.ts";
import { loadDriver } from "./drivers.ts";
import { agentEnvironment } from "../process/environment.ts";
import { findProgram, locateProgram } from "../process/find-program.ts";
import { readJudgement } from "./driver-kit/outbox.ts";
import { endLeftovers } from "../process/supervise.ts";
import { builtInAgents } from "../config/defaults.ts";
import type { Config } from "../config/load.ts";
import { resolveRole, rolesNeeded } from "../config/roles.ts";
import type { AttemptKey, ProcessIdentity, Usage } from "../engine/session.ts";
import { noSpending, priced, type Price } from "../engine/spending.ts";
import { objectDirs } from "../git/control.ts";
import type { Plan, Role, Rules } from "../plan/types.ts";
import type { Redactor } from "../base/redact.ts";
import type { Layer } from "../sandbox/layer.ts";
import type { Enclosure, Sandbox } from "../sandbox/sandbox.ts";
import { shellWord } from "../base/command-line.ts";
import { absoluteSearchPath } from "../base/search-path.ts";
import { type AgentHome, bringUserInstructions, clearHomeSettings, ensureAgentHome } from "./agent-home.ts";
import { sessionPaths, userHome, type SessionPaths } from "../project/paths.ts";
import { behindLoginGate, credentialOf } from "./login-gate.ts";
import { mcpServersOf, whyNoServer } from "./mcp.ts";
import { keepSessionNote } from "./session-note.ts";
import type { SessionEnd, SessionPort } from "./session-port.ts";
import type { Failure } from "../base/result.ts";
import type { Project } from "../project/project.ts";
import { followUsage, recordedUsage } from "./session-usage.ts";

export type { AgentEvent };

/** What all sessions of a run share. */
export interface SessionContext {
  readonly project: Project;
  readonly config: Config;
  readonly paths: SessionPaths;
  readonly sandbox: Sandbox;
  readonly redact: Redactor;
  readonly hear: Listener;
  /** Returns the layers of a session's workspace; undefined if it has all its files itself. */
  readonly layerOf?: ((key: AttemptKey) => Layer | undefined) | undefined;
}

/** Receives what an agent reports while it works; nothing is decided by it. */
export type Listener = (key: AttemptKey, event: AgentEvent) => void;

/** Runs sessions of the agents that the settings name, each in its attempt's workspace. */
export function realSessions(context: SessionContext): SessionPort {
  const { config, paths } = context;
  return {
    run: async (wanted) => await runSession(context, wanted),
    end: async (key, recorded) =>
      priced(await endRecordedSession(paths, key, recorded), priceOf(config, recorded.role)),
  };
}

type Wanted = Parameters<SessionPort["run"]>[0];

async function runSession(context: SessionContext, wanted: Wanted): Promise<SessionEnd> {
  const { config, paths, project } = context;
  const { key, role, used } = wanted;
  const agent = agentFor(config, role);
  if (agent === undefined) return { ...noSession, outcome: { kind: "misconfigured", detail: whyNoneSet(role) } };
  const { home, loginLock } = openHome(context, agent.name);
  const gate = { agent: agent.name, env: project.env, lockFile: loginLock };
  const driver = behindLoginGate(await loadDriver(agent.driver), gate);
  const place = { ...sessionPaths(paths, key), home };
  await prepareFolders(context, place, { inbox: wanted.inbox, facts: driver.facts });
  const request = requestOf(context, wanted, { agent, facts: driver.facts, place });
  const dir = paths.attempt(key);
  const who = { agent: agent.name, model: agent.model ?? null };
  keepSessionNote(dir, { ...who, driver: agent.driver, workspace: await seenWorkspace(request) });
  using usageSoFar = followUsage({ outbox: place.outbox, dir, price: priceOf(config, role), used });
  const observe = (event: AgentEvent): void => {
    usageSoFar.hear(event);
    context.hear(key, event);
  };
  const { outcome, report, reportProblem, usage, sessionId, program } = await driver.run({ ...request, observe });
  const keyFrom = credentialOf(driver.facts, project.env);
  const known = { ...tryWith(agent, driver.facts), ...(keyFrom !== undefined && { keyFrom }) };
  const course = program === undefined ? {} : { program: { ...program, ...known } };
  const spent = usageSoFar.conclude(usage);
  const end = { outcome, report, reportProblem: reportProblem ?? null, usage: spent, sessionId, ...who, ...course };
  return key.judge === undefined ? end : { ...end, judgement: await readJudgement(place.outbox) };
}

/** Programs know their working directory by its real path. */
async function seenWorkspace({
  enclosure,
  workspace,
}: Pick<SessionRequest, "enclosure" | "workspace">): Promise<string> {
  return enclosure.confined ? enclosure.folders.workspace : await realpath(workspace);
}

type Place = ReturnType<typeof sessionPaths> & Pick<AgentHome, "home">;

async function prepareFolders(
  { project, paths: { resumeCommand: resume } }: SessionContext,
  { inbox, outbox, home }: Place,
  { facts, ...about }: { readonly inbox: Wanted["inbox"]; readonly facts: AgentFacts },
): Promise<void> {
  await fillInbox(inbox, about.inbox);
  await rm(outbox, { recursive: true, force: true });
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  await clearHomeSettings(home, facts.homeSettings ?? []);
  const homes = { userHome: userHome(project.env), agentHome: home };
  await bringUserInstructions({ ...homes, paths: facts.userInstructions, resume });
}

/** Names a command for a person who wants to see whether the agent's program works. */
function tryWith({ command }: ChosenAgent, { program, hello }: AgentFacts): { readonly tryWith?: string } {
  const words = command.length > 0 ? command : program === null ? [] : [program];
  return hello === undefined ? {} : { tryWith: [...words, ...hello].map(shellWord).join(" ") };
}

/** Makes the driver's request from what the run wants, the settings and the folders of the session. */
function requestOf(
  context: SessionContext,
  { key, role, prompt, inbox, signal, started, lastWord }: Wanted,
  by: { readonly agent: ChosenAgent; readonly facts: AgentFacts; readonly place: Place },
): Omit<SessionRequest, "observe"> {
  const { config, paths, project } = context;
  const { agent, facts, place } = by;
  const command = agent.command.length > 0 ? agent.command : [facts.program ?? ""];
  const layer = context.layerOf?.(key);
  const enclosure = enclose(context, { ...place, layer, command, files: facts.files ?? [] });
  const { folders } = enclosure;
  const marker = `STINT_OUTBOX=${folders.outbox}`;
  return {
    prompt,
    model: agent.model,
    effort: agent.effort,
    inputs: inputsOf(inbox, { inside: folders.inbox, host: place.inbox }),
    mcp: mcpServersOf(config, project.env),
    repoSettings: agent.repoSettings,
    env: agentEnvironment({
      userEnv: project.env,
      allow: [...facts.credentials, ...facts.settings, ...agent.env],
      home: folders.home,
      stint: { role, run: paths.run, ...numberOf(key), ...folders },
    }),
    marker,
    signal,
    enclosure,
    home: place.home,
    workspace: place.tree,
    files: [place.tree, ...(layer?.lower ?? [])],
    outbox: place.outbox,
    command: agent.command.map((word, index) => (index === 0 ? locateProgram(word, project.repo.root) : word)),
    logFile: join(paths.attempt(key), "output.log"),
    resume: paths.resumeCommand,
    redact: context.redact,
    wallMsMax: config.run.taskTimeoutMs,
    idleMsMax: config.run.idleTimeoutMs,
    started: async (process) => started(process, marker, facts.endsTurn === true),
    lastWord,
  };
}

/** A judge's sessions have numbers of their own; one about the whole plan belongs to no task. */
function numberOf({ task, attempt, judge }: AttemptKey): { readonly task?: string; readonly attempt: number } {
  if (judge === undefined) return { task, attempt };
  return attempt === 0 ? { attempt: judge } : { task, attempt: judge };
}

const noSession = { report: null, reportProblem: null, usage: noSpending, sessionId: null, model: null };

function openHome({ project, paths }: SessionContext, agent: string): AgentHome {
  const opened = ensureAgentHome(project.env, agent);
  if (!opened.ok) throw new Error(`${opened.failure.message} Then run \`${paths.resumeCommand}\`.`);
  return opened.value;
}

/** Returns the price that the settings have for the model of a role. */
export function priceOf(config: Config, role: Role): Price | undefined {
  const model = resolveRole(config, role)?.model;
  return model !== undefined && Object.hasOwn(config.prices, model) ? config.prices[model] : undefined;
}

function enclose(
  { project, sandbox }: SessionContext,
  place: Place & {
    readonly layer: Layer | undefined;
    readonly command: readonly string[];
    readonly files: readonly string[];
  },
): Enclosure {
  const { tree, layer, home, outbox, inbox, command, files } = place;
  const named = command.filter((word) => word.includes("/")).map((word) => resolve(project.repo.root, word));
  const PATH = absoluteSearchPath(project.env["PATH"]);
  const program = findProgram({ argv: command, cwd: project.repo.root, env: { PATH } });
  const visible = [...objectDirs(project.control), ...named, ...files, ...(program.ok ? [program.value] : [])];
  return sandbox.enclose({ workspace: tree, layer, home, outbox, inbox, visible, network: true });
}

/** Lists the files of the inbox that go along with the prompt. */
function inputsOf(
  inbox: ReadonlyMap<string, Uint8Array>,
  folder: { readonly inside: string; readonly host: string },
): SessionInput[] {
  const names = [...inbox.keys()].filter((name) => name.startsWith("inputs/"));
  return names.map((name) => ({
    path: join(folder.inside, name),
    file: join(folder.host, name),
    mediaType: mediaTypes[extname(name).toLowerCase()] ?? "text/plain",
  }));
}

const mediaTypes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".pdf": "application/pdf",
};

/** Proves a recorded session dead, or kills it and all it started; returns what it had used. */
export async function endRecordedSession(
  paths: SessionPaths,
  key: AttemptKey,
  recorded: { readonly identity: ProcessIdentity; readonly marker: string },
): Promise<Usage> {
  const place = sessionPaths(paths, key);
  const alive = await endLeftovers({ ...recorded, cwdWithin: place.tree });
  if (alive.length === 0) return await recordedUsage({ outbox: place.outbox, dir: paths.attempt(key) });
  const pids = alive.map(({ pid }) => pid).join(", ");
  throw new Error(
    `Processes ${pids} of ${key.task} cannot be stopped. Stop them, then run \`${paths.resumeCommand}\`.`,
  );
}

/** Says before a run starts which role has no agent, or one without its program, so that no task is wasted on finding out. */
export async function whyNoAgent({ config, plan, rules }: Needs, project: Where): Promise<NoAgent | undefined> {
  return await whyNoAgentFor([...rolesNeeded(plan, rules)], config, project);
}

/** Says the same for the roles that make a plan, which no plan names. */
export async function whyNoAgentFor(
  roles: readonly Role[],
  config: Config,
  { env, repo }: Where,
): Promise<NoAgent | undefined> {
  for (const role of roles) {
    const agent = agentFor(config, role);
    if (agent === undefined) return { reason: "no-agent", message: whyNoneSet(role) };
    const program = programOf(agent, (await loadDriver(agent.driver)).facts, { root: repo.root, env });
    if (program.ok) continue;
    const cannot = `the agent of the role ${role}, ${agent.name}, cannot start: ${program.failure.message}`;
    const cure = programCure(program.failure);
    const orElse = cure === undefined ? "" : ` ${cure}, or choose another under \`roles\` in .stint/config.yaml.`;
    return { reason: "no-program", message: `${cannot}${orElse}` };
  }
  const noServer = whyNoServer(config, env);
  return noServer === undefined ? undefined : { reason: "no-agent", message: noServer };
}

/** The settings lack an agent, or the machine its program. */
type NoAgent = Failure<"no-agent" | "no-program">;

type Where = Pick<Project, "env" | "repo">;

/** What decides which agents a run may start. */
export interface Needs {
  readonly config: Config;
  readonly plan: Plan;
  readonly rules: Rules;
}

function whyNoneSet(role: Role): string {
  const known = Object.keys(builtInAgents).join(", ");
  const entry = role === "escalation" ? "executor" : role;
  return `no agent is set for the role ${role}, and none of ${known} is on PATH. Install one, or name one in .stint/config.yaml:\n  agents: { mine: { driver: command, command: [./my-agent.sh] } }\n  roles: { ${entry}: { agent: mine } }`;
}

type ChosenAgent = NonNullable<ReturnType<typeof agentFor>>;

function agentFor(config: Config, role: Role) {
  const found = resolveRole(config, role);
  if (found === undefined) return undefined;
  return { name: found.agentName, ...found.agent, model: found.model, effort: found.effort };
}

async function fillInbox(dir: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await rm(dir, { recursive: true, force: true });
  for (const [name, bytes] of files) {
    const path = join(dir, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, bytes, { mode: 0o400 });
  }
}
