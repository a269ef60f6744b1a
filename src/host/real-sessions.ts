import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { commandDriver, sessionMarker } from "../agents/command.ts";
import { agentEnvironment } from "../agents/environment.ts";
import { readUsage } from "../agents/outbox.ts";
import { endLeftovers } from "../agents/supervise.ts";
import type { Config } from "../config/load.ts";
import { resolveRole } from "../config/roles.ts";
import type { ProcessIdentity, Usage } from "../engine/session.ts";
import type { Plan, Role } from "../plan/types.ts";
import { sessionPlace, type runLayout } from "./layout.ts";
import type { AttemptKey, SessionPort } from "./ports.ts";
import { locateProgram } from "./programs.ts";
import type { Project } from "./project.ts";

type RunLayout = ReturnType<typeof runLayout>;

/** Sessions of the agents the configuration names, each in its attempt's workspace. */
export function realSessions(project: Project, config: Config, layout: RunLayout): SessionPort {
  return {
    run: async ({ key, role, prompt, inbox, signal, started }) => {
      const agent = agentFor(config, role);
      const place = sessionPlace(layout, key);
      await fillInbox(place.inbox, inbox);
      await rm(place.outbox, { recursive: true, force: true });
      const home = join(dirname(project.layout.scratch), "homes", agent.name);
      await Promise.all([place.outbox, home].map((dir) => mkdir(dir, { recursive: true, mode: 0o700 })));
      const stint = {
        role,
        run: layout.run,
        task: key.task,
        attempt: key.attempt,
        outbox: place.outbox,
        inbox: place.inbox,
      };
      const env = agentEnvironment({ userEnv: project.env, allow: agent.env, home, stint });
      const { outcome, report, reportProblem, usage } = await commandDriver.run({
        prompt,
        env,
        signal,
        workspace: place.tree,
        outbox: place.outbox,
        command: [locateProgram(agent.program, project.repo.root), ...agent.arguments],
        logFile: join(layout.attempt(key), "output.log"),
        wallMsMax: config.run.taskTimeoutMs,
        idleMsMax: config.run.idleTimeoutMs,
        started: async (process) => started(process, sessionMarker(place.outbox)),
      });
      return { outcome, report, reportProblem: reportProblem ?? null, usage };
    },
    end: (key, identity, marker) => endRecordedSession(layout, key, { identity, marker }),
  };
}

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
    if (found.agent.driver !== "command") {
      return `the role ${role} uses agent ${found.agentName}, whose driver ${found.agent.driver} is not in this version. Use one with driver: command.`;
    }
  }
  return undefined;
}

function agentFor(config: Config, role: Role) {
  const found = resolveRole(config, role);
  const [program, ...rest] = found?.agent.command ?? [];
  if (found === undefined || program === undefined)
    throw new Error(`Internal error: expected a command for role ${role}`);
  return { name: found.agentName, program, arguments: rest, env: found.agent.env };
}

async function fillInbox(dir: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await rm(dir, { recursive: true, force: true });
  for (const [name, bytes] of files) {
    const path = join(dir, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, bytes, { mode: 0o400 });
  }
}
