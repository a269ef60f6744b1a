import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import type { SessionInput } from "../agents/agent.ts";
import { knowsDriver, loadDriver } from "../agents/drivers.ts";
import { agentEnvironment } from "../agents/environment.ts";
import { readUsage } from "../agents/outbox.ts";
import { endLeftovers } from "../agents/supervise.ts";
import type { Config } from "../config/load.ts";
import { resolveRole } from "../config/roles.ts";
import type { ProcessIdentity, Usage } from "../engine/session.ts";
import { objectDirs } from "../git/control.ts";
import type { Plan, Role } from "../plan/types.ts";
import type { Redactor } from "../redact.ts";
import type { Enclosure, Sandbox } from "../sandbox/sandbox.ts";
import { sessionPlace, type runLayout } from "./layout.ts";
import type { AttemptKey, SessionPort } from "./ports.ts";
import { locateProgram } from "./programs.ts";
import type { Project } from "./project.ts";

type RunLayout = ReturnType<typeof runLayout>;

/** What the sessions of a run need besides their attempts. */
export interface SessionContext {
  readonly project: Project;
  readonly config: Config;
  readonly layout: RunLayout;
  readonly sandbox: Sandbox;
  readonly redact: Redactor;
}

/** Sessions of the agents the configuration names, each in its attempt's workspace. */
export function realSessions(context: SessionContext): SessionPort {
  const { config, layout } = context;
  return {
    run: async ({ key, role, prompt, inbox, signal, started }) => {
      const agent = agentFor(config, role);
      const driver = await loadDriver(agent.driver);
      const place = sessionPlace(layout, key);
      const home = join(dirname(context.project.layout.scratch), "homes", agent.name);
      await fillInbox(place.inbox, inbox);
      await rm(place.outbox, { recursive: true, force: true });
      await Promise.all([place.outbox, home].map((dir) => mkdir(dir, { recursive: true, mode: 0o700 })));
      const enclosure = enclose(context, { ...place, home, command: agent.command });
      const { facts } = driver;
      const env = agentEnvironment({
        userEnv: context.project.env,
        allow: [...facts.credentials, ...facts.settings, ...agent.env],
        home: enclosure.folders.home,
        stint: { role, run: layout.run, ...key, ...enclosure.folders },
      });
      const marker = `STINT_OUTBOX=${enclosure.folders.outbox}`;
      const { outcome, report, reportProblem, usage } = await driver.run({
        prompt,
        model: agent.model,
        effort: agent.effort,
        inputs: inputsOf(inbox, { inside: enclosure.folders.inbox, host: place.inbox }),
        mcp: {},
        repoSettings: false,
        env,
        marker,
        signal,
        enclosure,
        home,
        workspace: place.tree,
        outbox: place.outbox,
        command: agent.command.map((word, index) =>
          index === 0 ? locateProgram(word, context.project.repo.root) : word,
        ),
        logFile: join(layout.attempt(key), "output.log"),
        redact: context.redact,
        wallMsMax: config.run.taskTimeoutMs,
        idleMsMax: config.run.idleTimeoutMs,
        started: async (process) => started(process, marker),
        observe: () => undefined,
      });
      return { outcome, report, reportProblem: reportProblem ?? null, usage };
    },
    end: (key, identity, marker) => endRecordedSession(layout, key, { identity, marker }),
  };
}

function enclose(
  { project, sandbox }: SessionContext,
  place: ReturnType<typeof sessionPlace> & { readonly home: string; readonly command: readonly string[] },
): Enclosure {
  const { tree, home, outbox, inbox, command } = place;
  const programs = command.filter((word) => word.includes("/")).map((word) => resolve(project.repo.root, word));
  const visible = [...objectDirs(project.control), ...programs];
  return sandbox.enclose({ workspace: tree, home, outbox, inbox, visible, network: true });
}

/** Files of the inbox that are handed over with the prompt. */
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
  layout: RunLayout,
  key: AttemptKey,
  recorded: { readonly identity: ProcessIdentity; readonly marker: string },
): Promise<Usage> {
  const place = sessionPlace(layout, key);
  const alive = await endLeftovers({ ...recorded, cwdWithin: place.tree });
  if (alive.length === 0) return await readUsage(place.outbox);
  const pids = alive.map(({ pid }) => pid).join(", ");
  throw new Error(`Processes ${pids} of ${key.task} cannot be ended. End them, then run \`stint resume\`.`);
}

/** Said before a run begins, so that no task is spent on finding out. */
export function whyNoAgent(config: Config, plan: Plan): string | undefined {
  const wanted = new Set<Role>([...plan.tasks.map((task) => task.role), "escalation"]);
  for (const role of wanted) {
    const found = resolveRole(config, role);
    if (found === undefined) {
      return `no agent is set for the role ${role}. Name one in .stint/config.yaml:\n  agents: { mine: { driver: command, command: [./my-agent.sh] } }\n  roles: { executor: { agent: mine } }`;
    }
    if (!knowsDriver(found.agent.driver)) {
      return `the role ${role} uses agent ${found.agentName}, whose driver ${found.agent.driver} is not in this version. Use one with driver: command.`;
    }
  }
  return undefined;
}

function agentFor(config: Config, role: Role) {
  const found = resolveRole(config, role);
  if (found === undefined) throw new Error(`Internal error: expected an agent for role ${role}, but there is none`);
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
